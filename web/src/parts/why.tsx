/** Why a hit was found: linked words between query and passage, and the parts of its score. */

import { useMemo, useRef, useState } from "preact/hooks";

import { service } from "../api/service";
import type { Explanation, ScorePart } from "../api/types";
import { usePage } from "../state/store";
import { percent, t, type TextName } from "../texts/texts";
import { visible } from "./foreign";
import { Glossed } from "./gloss";
import { type DrawnLink, LinkDrawing } from "./link_drawing";
import { useLoaded } from "./loading";

const MOST_LINKS = 10;
const LEAST_SHARE = 0.015;
const KNOWN_PARTS = new Set(["psq", "lexical", "bm25", "dense", "maxsim", "translation"]);

const partName = (system: string): string =>
  KNOWN_PARTS.has(system) ? t(`part.${system}` as TextName) : system;

/** What each part of the system adds to the score, as one bar. */
export function ScoreParts({ parts }: { parts: ScorePart[] }) {
  const positive = parts.filter((part) => part.added > 0);
  const total = positive.reduce((sum, part) => sum + part.added, 0);
  if (!total) return null;
  return (
    <div class="parts">
      <h4>{t("why.parts")}</h4>
      <div class="bar" aria-hidden="true">
        {positive.map((part) => (
          <i data-part={part.system} style={{ flexGrow: part.added / total }} />
        ))}
      </div>
      <ul>
        {positive.map((part) => (
          <li data-part={part.system}>
            <i class="dot" aria-hidden="true" />
            {partName(part.system)} <b>{percent(part.added / total)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A text cut at the words that have links. */
function linkedPieces(text: string, words: Map<string, number>): { text: string; number: number | null }[] {
  const pattern = [...words.keys()].sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  if (!pattern) return [{ text, number: null }];
  const split = new RegExp(`(?<![\\p{L}\\p{N}])(${pattern})(?![\\p{L}\\p{N}\\p{M}])`, "giu");
  return text.split(split).map((piece, position) => ({
    text: piece, number: position % 2 ? (words.get(piece.toLowerCase()) ?? null) : null,
  }));
}

function numbered(words: string[]): Map<string, number> {
  return new Map([...new Set(words.map((word) => word.toLowerCase()))].map((word, number) => [word, number]));
}

function LinkList({ explanation, shown }: { explanation: Explanation; shown: Set<string> }) {
  const links = explanation.links.slice(0, MOST_LINKS);
  const most = Math.max(...links.map((link) => link.share), 0.01);
  return (
    <table class="link-table">
      <caption class="unseen">{t("why.table")}</caption>
      <tbody>
        {links.map((link) => (
          <tr>
            <td><bdi lang={explanation.language} dir="auto">{visible(link.query_word)}</bdi></td>
            <td>
              <bdi lang={explanation.document.language} dir="auto">{visible(link.document_word)}</bdi>
              {!shown.has(link.document_word.toLowerCase()) && <span class="hint"> {t("why.outside")}</span>}
            </td>
            <td class="share">
              <span class="measure" aria-hidden="true"><i style={{ width: `${(100 * link.share) / most}%` }} /></span>
              {percent(link.share)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Drawn({ explanation }: { explanation: Explanation }) {
  const frame = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number | null>(null);
  const strong = useMemo(
    () => explanation.links.filter((link) => link.share >= LEAST_SHARE).slice(0, MOST_LINKS),
    [explanation],
  );
  const queryWords = useMemo(() => numbered(strong.map((link) => link.query_word)), [strong]);
  const words = useMemo(() => numbered(strong.map((link) => link.document_word)), [strong]);
  const links: DrawnLink[] = useMemo(() => strong.map((link) => ({
    query: queryWords.get(link.query_word.toLowerCase()) ?? -1,
    word: words.get(link.document_word.toLowerCase()) ?? -1,
    share: link.share,
  })), [strong]);
  const { document, language } = explanation;
  const glossed = explanation.words.length > 0;
  const shown = new Set((glossed ? explanation.words.map((piece) => piece.word)
    : linkedPieces(explanation.passage, words).map((piece) => piece.text)).map((word) => word.toLowerCase()));
  const titleWords = new Map([...words].filter(([word]) => !shown.has(word)));
  for (const piece of linkedPieces(document.title, titleWords)) shown.add(piece.text.toLowerCase());
  return (
    <>
      <div class="linked" ref={frame}>
        <LinkDrawing frame={frame} links={links} active={active} />
        <p class="query" lang={language} dir="auto">
          {linkedPieces(explanation.query, queryWords).map((piece) =>
            piece.number === null ? visible(piece.text) : (
              <span
                class="surface matched"
                data-query={piece.number}
                onMouseEnter={() => setActive(piece.number)}
                onMouseLeave={() => setActive(null)}
              >
                {visible(piece.text)}
              </span>
            ))}
        </p>
        <div class="passage">
          {document.title && titleWords.size > 0 && (
            <p class="passage-title" lang={document.language} dir="auto">
              {linkedPieces(document.title, titleWords).map((piece) =>
                piece.number === null ? visible(piece.text)
                  : <span class="surface matched" data-word={piece.number}>{visible(piece.text)}</span>)}
            </p>
          )}
          {glossed ? (
            <Glossed
              pieces={explanation.words}
              language={document.language}
              glossLanguage={language}
              matched={(word) => words.get(word.toLowerCase()) ?? null}
            />
          ) : (
            <p class="glossed" lang={document.language} dir="auto">
              {linkedPieces(explanation.passage, words).map((piece) =>
                piece.number === null ? visible(piece.text)
                  : <span class="surface matched" data-word={piece.number}>{visible(piece.text)}</span>)}
            </p>
          )}
        </div>
      </div>
      {glossed && <p class="hint">{t("why.gloss")}</p>}
      <LinkList explanation={explanation} shown={shown} />
    </>
  );
}

export function Why({ id }: { id: string }) {
  const { address, answer } = usePage();
  const language = answer?.language.code ?? address.language;
  const { value, failure } = useLoaded(`${address.index}\n${id}\n${answer?.query}\n${language}`, (signal) =>
    service.explain(address.index, answer?.query ?? "", id, language, signal),
  );
  return (
    <section class="explanation" aria-label={t("why.heading")} aria-busy={!value && !failure}>
      {failure && <p class="hint">{visible(failure.message)}</p>}
      {!value && !failure && <p class="hint loading">{t("loading")}</p>}
      {value && (
        <>
          <ScoreParts parts={value.parts} />
          {value.by_vectors && <p class="note">{t("why.vectors")}</p>}
          {!value.by_vectors && !value.links.length && <p class="note">{t("why.none")}</p>}
          <Drawn explanation={value} />
        </>
      )}
    </section>
  );
}
