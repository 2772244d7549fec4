/** Something that is loaded when a part of the page opens. */

import { useEffect, useState } from "preact/hooks";

import { Failure } from "../api/service";

export interface Loaded<T> {
  value: T | null;
  failure: Failure | null;
}

/** The value of `load`, again whenever `key` changes; an older answer is dropped. */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { key: string }>({ key: "", value: null, failure: null });
  useEffect(() => {
    if (!key) return undefined;
    const controller = new AbortController();
    load(controller.signal).then(
      (value) => controller.signal.aborted || setLoaded({ key, value, failure: null }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const failure = error instanceof Failure ? error : new Failure("broken", String(error));
        setLoaded({ key, value: null, failure });
      },
    );
    return () => controller.abort();
  }, [key]);
  return loaded.key === key ? loaded : { value: null, failure: null };
}
