/** The state of the page: one object, replaced at every change; parts of the page subscribe to it. */

import { useLayoutEffect, useState } from "preact/hooks";

import type { Failure, SearchRequest } from "../api/service";
import type { Answer, IndexStats, IndexSummary, Session } from "../api/types";
import { type Address, readAddress } from "./address";

export type Status = "idle" | "waiting" | "slow" | "failed";

export interface State {
  address: Address;
  indexes: IndexSummary[] | null; // null until they are known
  stats: IndexStats | null;
  session: Session | null;
  keyWanted: boolean;
  answer: Answer | null;
  request: SearchRequest | null; // that `answer` is for; its further pages need the same
  answered: string; // the query that `answer` is for
  status: Status;
  failure: Failure | null;
  loadingMore: boolean;
  helpOpen: boolean;
  language: string; // of the page
}

type Listener = () => void;

let state: State = {
  address: readAddress(location.search),
  indexes: null,
  stats: null,
  session: null,
  keyWanted: false,
  answer: null,
  request: null,
  answered: "",
  status: "idle",
  failure: null,
  loadingMore: false,
  helpOpen: false,
  language: "en",
};
const listeners = new Set<Listener>();

export const current = (): State => state;

export function update(changes: Partial<State>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

export function usePage(): State {
  const [, redraw] = useState(0);
  // before any answer can come: an effect waits until the page is painted, and would miss it
  useLayoutEffect(() => {
    const listener = (): void => redraw((count) => count + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return state;
}
