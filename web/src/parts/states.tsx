/** What is shown instead of hits, or above them: empty, weak, slow, offline, failed. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { service } from "../api/service";
import { refine, restart } from "../state/actions";
import { usePage } from "../state/store";
import { count, language as pageLanguage, languageName, t } from "../texts/texts";
import { AddButton } from "./adding";
import { Foreign, visible } from "./foreign";

interface NoticeProps {
  kind: string;
  title: string;
  children: ComponentChildren;
}

export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === "failed" ? "alert" : undefined}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function FailureNotice() {
  const { failure } = usePage();
  if (!failure || failure.kind === "key") return null;
  const again = <button type="button" onClick={() => void restart()}>{t("retry")}</button>;
  if (failure.kind === "offline") {
    return <Notice kind="failed" title={t("offline.title")}><p>{t("offline.text")}</p>{again}</Notice>;
  }
  if (failure.kind === "busy") {
    return <Notice kind="failed" title={t("busy.title")}><p>{t("busy.text")}</p>{again}</Notice>;
  }
  return (
    <Notice kind="failed" title={t("error.title")}>
      <p><bdi>{visible(failure.message)}</bdi></p>
      {failure.requestId && <p class="hint">{t("error.request", { id: failure.requestId })}</p>}
      {again}
    </Notice>
  );
}

export function NoHits() {
  const { address } = usePage();
  const filtered = address.where.length > 0 || address.languages.length > 0;
  return (
    <Notice kind="none" title={t("none.title")}>
      <p>{t("none.text")} {filtered && t("none.filters")}</p>
      {filtered && (
        <button type="button" onClick={() => refine({ where: [], languages: [] })}>{t("filters.clear")}</button>
      )}
    </Notice>
  );
}

export function WeakNotice() {
  return <Notice kind="weak" title={t("weak.title")}><p>{t("weak.text")}</p></Notice>;
}

interface Example {
  text: string;
  language: string;
}

const SCRIPTS = ["Latin", "Arabic", "Devanagari", "Cyrillic", "Greek", "Han", "Hangul", "Thai"];
const scriptOf = (text: string): string =>
  SCRIPTS.find((name) => new RegExp(`\\p{Script=${name}}`, "u").test(text)) ?? "";

const NUMBERING = /^[\d.]+\s+/; // of chapters
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether a title reads like something that people would search for, and is no name of a file. */
const isSpoken = (title: string): boolean =>
  !/[._/\\]/.test(title) && (UNSPACED.test(title) || (title.length > 7 && /\s/.test(title)));

/** Titles of documents in three languages, in different scripts where there are some. */
async function examples(index: string, languages: string[]): Promise<Example[]> {
  const found = await Promise.all(languages.slice(0, 8).map(async (code) => {
    const documents = await service.documents(index, code, 20);
    const titles = documents.map((one) => one.title.replace(NUMBERING, "").trim());
    const spoken = titles.filter((title) => title.length <= 48 && isSpoken(title));
    const text = spoken[spoken.length >> 1];
    return text ? [{ text, language: code }] : [];
  }));
  const chosen = new Map<string, Example>();
  const all = found.flat();
  for (const one of all) if (!chosen.has(scriptOf(one.text))) chosen.set(scriptOf(one.text), one);
  return [...new Set([...chosen.values(), ...all])].slice(0, 3);
}

function Examples() {
  const { address, stats } = usePage();
  const [shown, setShown] = useState<Example[]>([]);
  const codes = Object.entries(stats?.languages ?? {}).sort((a, b) => b[1] - a[1]).map(([code]) => code);
  const key = `${address.index} ${codes.join(" ")} ${pageLanguage()}`;
  useEffect(() => {
    let stale = false;
    const foreign = codes.filter((code) => code && code !== pageLanguage());
    examples(address.index, foreign.length ? foreign : codes).then(
      (found) => stale || setShown(found),
      () => stale || setShown([]), // examples are an offer; without them the page works as well
    );
    return () => { stale = true; };
  }, [key]);
  if (!shown.length) return null;
  return (
    <div class="examples">
      <p>{t("examples")}</p>
      <ul>
        {shown.map((one) => (
          <li key={one.language}>
            <button type="button" onClick={() => refine({ query: one.text })}>
              <Foreign text={one.text} language={one.language} />
              <span class="language">{languageName(one.language)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The first screen: what this is, in one sentence, and three searches to try. */
export function Welcome() {
  const { stats, session } = usePage();
  if (!stats) return null;
  const languages = Object.keys(stats.languages).length;
  if (!stats.documents) {
    return (
      <Notice kind="empty" title={t("empty.title")}>
        <p>{t("empty.text")}</p>
        {(!session?.key_needed || session.scopes.includes("write")) && <AddButton />}
      </Notice>
    );
  }
  return (
    <>
      <p class="about">{t("about", { languages: count("languages", languages) })}</p>
      <Examples />
      <p class="hint size">
        {count("documents", stats.documents)} · {count("languages", languages)} · <bdi>{stats.system}</bdi>
      </p>
    </>
  );
}
