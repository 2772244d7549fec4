/** What a person can do: search, filter, open, go back. Every action changes the address and the state. */

import { Failure, service, type SearchRequest } from "../api/service";
import type { Answer } from "../api/types";
import { NOTHING, type Address, readAddress, writeAddress } from "./address";
import { facetFields } from "./fields";
import { HeldLanguage, LONG_PAUSE, SLOW, TYPING_PAUSE } from "./pending";
import { current, update } from "./store";

const held = new HeldLanguage();
let inFlight: AbortController | null = null;
let typing: ReturnType<typeof setTimeout> | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
let burst = false; // somebody is typing: letters do not become entries of the history

/** The address of the page with these changes, for links that can be copied or opened in a tab. */
export function linkTo(changes: Partial<Address>): string {
  const { address, indexes } = current();
  return writeAddress({ ...address, ...changes }, indexes?.length === 1 ? indexes[0]?.name : "");
}

function setAddress(changes: Partial<Address>, replace = false): void {
  const address = { ...current().address, ...changes };
  const text = linkTo(changes);
  if (text !== location.pathname + location.search) {
    if (replace) history.replaceState(null, "", text);
    else history.pushState(null, "", text);
  }
  update({ address });
}

/** Changes of the address that ask for a new ranking. */
export function refine(changes: Partial<Address>): void {
  burst = false;
  setAddress({ ...changes, why: "", document: "" });
  void search(true);
}

/** Changes of the address that only show something else of the same ranking. */
export function show(changes: Partial<Address>): void {
  burst = false;
  setAddress(changes);
}

export function toggleGloss(): void {
  show({ gloss: !current().address.gloss });
  void search(true);
}

export function typed(query: string): void {
  clearTimeout(typing);
  clearTimeout(pause);
  typing = setTimeout(() => {
    const replace = burst;
    burst = true;
    setAddress({ query, why: "", document: "" }, replace);
    void search(false);
  }, TYPING_PAUSE);
  pause = setTimeout(() => {
    burst = false;
    void search(true);
  }, LONG_PAUSE);
}

/** Enter: the search as it stands, at once. */
export function submit(query: string): void {
  clearTimeout(typing);
  clearTimeout(pause);
  const { address, answered, status } = current();
  if (query === address.query && query === answered && status === "idle") return;
  setAddress({ query, why: "", document: "" }, burst);
  burst = false;
  void search(true);
}

export function chooseLanguage(language: string): void {
  held.forget();
  refine({ language });
}

export function wanted(address: Address, language: string): SearchRequest {
  const facets = ["language", ...facetFields(current().stats?.fields ?? [])];
  return { query: address.query, language, languages: address.languages, where: address.where, facets, gloss: address.gloss };
}

/** What an answer depends on; the fields too, which may be known only after the first letters. */
const key = (address: Address): string =>
  JSON.stringify([address.index, address.language, wanted(address, "")]);

let answeredKey = "";
let flyingKey = ""; // of the request that is on its way
let flyingDetected = false;
let answeredDetected = false; // whether the language of the answer was detected for exactly this query

function drop(): void {
  inFlight?.abort();
  inFlight = null;
}

/** Sends the search of the address; an older one that is still on its way is dropped. */
export async function search(paused: boolean): Promise<void> {
  const { address } = current();
  if (!address.index || address.other) return;
  clearTimeout(again);
  if (!address.query.trim()) {
    drop();
    held.forget();
    answeredKey = "";
    update({ answer: null, answered: "", status: "idle", failure: null });
    return;
  }
  if (key(address) === answeredKey && (answeredDetected || !paused) && current().status !== "failed") {
    if (inFlight && flyingKey !== answeredKey) {
      drop(); // Back, before the later search was answered
      update({ status: "idle" });
    }
    return;
  }
  if (inFlight && flyingKey === key(address) && (flyingDetected || !paused)) return; // its answer will do
  drop();
  const mine = (inFlight = new AbortController());
  const language = address.language || held.forQuery(address.query, paused);
  flyingKey = key(address);
  flyingDetected = Boolean(address.language) || !language;
  update({ status: "waiting" });
  const slow = setTimeout(() => mine === inFlight && update({ status: "slow" }), SLOW);
  try {
    const request = wanted(address, language);
    const answer = await service.search(address.index, request, mine.signal);
    if (mine !== inFlight) return;
    answeredKey = flyingKey;
    answeredDetected = flyingDetected;
    if (!address.language) held.hold(answer.language.code, address.query);
    if (!answeredDetected) answer.language = { ...answer.language, detected: true };
    inFlight = null;
    update({ answer, request, answered: address.query, status: "idle", failure: null });
  } catch (error) {
    if (mine === inFlight && !mine.signal.aborted) {
      inFlight = null;
      failed(error);
    }
  } finally {
    clearTimeout(slow);
  }
}

let failures = 0;

/** Shows what went wrong; where waiting helps, the search is repeated by itself. */
export function failed(error: unknown): void {
  const failure = error instanceof Failure ? error : new Failure("broken", String(error));
  update({ status: "failed", failure });
  if (failure.kind === "key") return update({ keyWanted: true });
  if (failure.kind === "offline" || failure.kind === "busy") {
    failures = Math.min(failures + 1, 5);
    const wait = Math.max(failure.retryAfter * 1000, 500 * 2 ** failures);
    clearTimeout(again);
    again = setTimeout(() => void restart(), wait);
  }
}

/** Begins again after an error: the indexes where they are not known yet, then the search. */
export async function restart(): Promise<void> {
  const before = current().failure;
  await start();
  if (current().failure === before) await search(true);
  if (!current().failure) failures = 0;
}

export async function showMore(): Promise<void> {
  const { address, answer, request } = current();
  if (!answer?.next || !request || current().loadingMore) return;
  update({ loadingMore: true });
  try {
    const more = await service.search(address.index, { ...request, cursor: answer.next });
    if (current().answer === answer) {
      const joined: Answer = { ...answer, hits: [...answer.hits, ...more.hits], next: more.next };
      update({ answer: joined });
    }
  } catch (error) {
    if (error instanceof Failure && error.kind === "gone") {
      answeredKey = ""; // the index has changed meanwhile: a new ranking from its beginning
      await search(true);
    } else failed(error);
  } finally {
    update({ loadingMore: false });
  }
}

export async function chooseIndex(index: string): Promise<void> {
  held.forget();
  setAddress({ index, where: [], languages: [], document: "", why: "" });
  await loadStats();
  void search(true);
}

async function loadStats(): Promise<void> {
  const { index } = current().address;
  const summary = current().indexes?.find((one) => one.name === index);
  const stats = await service.stats(index);
  if (current().address.index === index) update({ stats: { ...summary, ...stats } });
}

/** What is known about the index after files were added to it. */
export async function refresh(): Promise<void> {
  answeredKey = "";
  update({ indexes: await service.indexes() });
  await loadStats();
  void search(true);
}

/** Loads what the page needs before the first search. */
export async function start(): Promise<void> {
  try {
    const session = await service.session().catch(() => ({ scopes: [], key_needed: false }));
    if (session.key_needed && !session.scopes.length) return update({ session, keyWanted: true });
    const indexes = await service.indexes();
    const known = indexes.some((one) => one.name === current().address.index);
    const index = known ? current().address.index : (indexes[0]?.name ?? "");
    update({ indexes, session, keyWanted: false, address: { ...current().address, index } });
    if (index) await loadStats();
    update({ failure: null });
    await search(true);
  } catch (error) {
    failed(error);
  }
}

/** Ends the session; the key is asked for again, and what was found is no longer shown. */
export async function leave(): Promise<void> {
  await service.closeSession();
  location.assign("/");
}

export function goHome(): void {
  const { index } = current().address;
  held.forget();
  refine({ ...NOTHING, index });
}

/** Back and Forward. */
export function returned(): void {
  const before = current().address;
  const address = readAddress(location.search);
  if (!address.index) address.index = before.index;
  burst = false;
  update({ address });
  if (address.index !== before.index) void loadStats().then(() => search(true), failed);
  else void search(true);
}
