/** The whole document with its matched words marked. */

import { useEffect, useRef, useState } from "preact/hooks";

import { service } from "../api/service";
import type { Hit, StoredDocument } from "../api/types";
import { linkTo, show } from "../state/actions";
import { isShown } from "../state/fields";
import { usePage } from "../state/store";
import { count, languageName, shortDate, t } from "../texts/texts";
import { Foreign, marked, visible } from "./foreign";
import { OpenLink } from "./hit";
import { Icon } from "./icons";
import { useLoaded } from "./loading";

export function closeReader(): void {
  const { document: id } = readerState;
  show({ document: "" });
  const hits = document.querySelectorAll<HTMLElement>("[data-hit]");
  const hit = [...hits].find((one) => one.dataset["hit"] === id);
  (hit?.querySelector<HTMLElement>("a.title") ?? document.getElementById("query"))?.focus();
}

const readerState = { document: "" };

const SHOWN = 12; // fields of metadata

function Facts({ stored }: { stored: StoredDocument }) {
  const fields = Object.entries(stored.metadata ?? {}).filter(
    ([name, value]) => isShown(name) && ["string", "number", "boolean"].includes(typeof value),
  );
  return (
    <details class="facts">
      <summary>{t("reader.about")}</summary>
      <dl>
        <dt>id</dt>
        <dd><bdi>{visible(stored.id)}</bdi></dd>
        {fields.slice(0, SHOWN).map(([name, value]) => (
          <>
            <dt><bdi>{visible(name)}</bdi></dt>
            <dd><bdi>{visible(String(value))}</bdi></dd>
          </>
        ))}
      </dl>
    </details>
  );
}

/** A field of a document's metadata, where it is a text. */
function fieldOf(stored: StoredDocument | null, name: string): string {
  const value = stored?.metadata[name];
  return typeof value === "string" ? value : "";
}

function Similar({ index, id }: { index: string; id: string }) {
  const { value } = useLoaded<Hit[]>(`${index}\n${id}`, (signal) => service.similar(index, id, signal));
  if (!value?.length) return null;
  return (
    <section class="similar">
      <h3>{t("reader.similar")}</h3>
      <ul>
        {value.map((hit) => (
          <li key={hit.id}>
            <span class="language">{languageName(hit.language)}</span>
            <OpenLink id={hit.id} title={hit.title} language={hit.language} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function CopyLink() {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(new URL(linkTo({}), location.href).href);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      <Icon name="link" /> <span aria-live="polite">{copied ? t("reader.copied") : t("reader.link")}</span>
    </button>
  );
}

/** Moves from mark to mark. */
export function useMarks(body: { current: HTMLElement | null }, total: number, key: string) {
  const [at, setAt] = useState(-1);
  useEffect(() => setAt(-1), [key]);
  const go = (step: number): void => {
    if (!total) return;
    const next = (at + step + total) % total;
    const marks = body.current?.querySelectorAll("mark") ?? [];
    marks.forEach((mark, number) => mark.classList.toggle("current", number === next));
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    marks[next]?.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    setAt(next);
  };
  return { at, go };
}

export function Reader() {
  const { address, answer } = usePage();
  const { index, document: id } = address;
  const language = answer?.language.code ?? address.language;
  const key = `${index}\n${id}\n${address.query}\n${language}`;
  const { value, failure } = useLoaded(key, (signal) =>
    service.document(index, id, address.query, language, 0, signal));
  const [rest, setRest] = useState<{ key: string; parts: StoredDocument[] }>({ key: "", parts: [] });
  const body = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLElement>(null);
  readerState.document = id;
  const parts = value ? [value, ...(rest.key === key ? rest.parts : [])] : [];
  const total = parts.reduce((sum, part) => sum + (part.marks?.length ?? 0), 0);
  const { at, go } = useMarks(body, total, key);
  const last = parts.at(-1);
  const goesOn = last?.end !== undefined && last.letters !== undefined && last.end < last.letters;

  const file = fieldOf(value, "path");
  const modified = fieldOf(value, "modified");

  useEffect(() => frame.current?.focus({ preventScroll: false }), [id]);

  const keys = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") go(1);
    else if (event.key === "p") go(-1);
    else return;
    event.preventDefault();
  };

  const showRest = async (): Promise<void> => {
    const next = await service.document(index, id, address.query, language, last?.end ?? 0);
    setRest({ key, parts: [...parts.slice(1), next] });
  };

  return (
    <aside class="reader" ref={frame} tabIndex={-1} aria-label={t("reader")} onKeyDown={keys}>
      <div class="reader-bar">
        {total > 0 ? (
          <div class="marks">
            <span>{at < 0 ? count("reader.marks", total) : t("reader.position", { n: at + 1, total })}</span>
            <button type="button" class="quiet icon-only" aria-label={t("reader.previous")} onClick={() => go(-1)}>
              <Icon name="up" />
            </button>
            <button type="button" class="quiet icon-only" aria-label={t("reader.next")} onClick={() => go(1)}>
              <Icon name="down" />
            </button>
          </div>
        ) : <span />}
        <div>
          <CopyLink />
          <button type="button" class="quiet icon-only" aria-label={t("reader.close")} onClick={closeReader}>
            <Icon name="close" />
          </button>
        </div>
      </div>
      {failure && <p class="note" role="alert">{visible(failure.message)}</p>}
      {!value && !failure && <p class="hint loading">{t("loading")}</p>}
      {value && (
        <>
          <header>
            <p class="origin">
              <span class="language">{languageName(value.language)}</span>
              {file && <bdi class="file">{visible(file)}</bdi>}
              {modified && <span>{shortDate(modified)}</span>}
            </p>
            <Foreign as="h2" text={value.title || value.id} language={value.language} />
          </header>
          <div class="text" ref={body}>
            {parts.map((part) => (
              <Paragraphs key={part.start ?? 0} part={part} />
            ))}
          </div>
          {goesOn && (
            <button type="button" class="more" onClick={() => void showRest()}>{t("reader.more")}</button>
          )}
          <Facts stored={value} />
          <Similar index={index} id={id} />
        </>
      )}
    </aside>
  );
}

/** A part of the text; its marks count from the beginning of the document. */
function Paragraphs({ part }: { part: StoredDocument }) {
  const start = part.start ?? 0;
  const spans = (part.marks ?? []).map(([from, to]): [number, number] => [from - start, to - start]);
  return <div class="part" lang={part.language} dir="auto">{marked(part.text, spans)}</div>;
}
