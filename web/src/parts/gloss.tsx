/** A passage over its gloss, word by word. */

import type { GlossedPiece } from "../api/types";
import { visible } from "./foreign";

const TAIL = /^[^\s\p{Ps}\p{Pi}]+/u; // punctuation stays with the word before it

interface GlossedProps {
  pieces: GlossedPiece[];
  language: string; // of the passage
  glossLanguage: string;
  matched: (word: string) => number | null; // the number of a matched word
}

/** The pieces with their glosses below; blanks and punctuation stay in the line of the passage. */
export function Glossed({ pieces, language, glossLanguage, matched }: GlossedProps) {
  const isWord = (piece: GlossedPiece | undefined): boolean => piece !== undefined && piece.kind !== "between";
  return (
    <p class="glossed" lang={language} dir="auto">
      {pieces.map((piece, number) => {
        if (!isWord(piece)) return visible(isWord(pieces[number - 1]) ? piece.surface.replace(TAIL, "") : piece.surface);
        const word = matched(piece.word);
        const after = pieces[number + 1];
        const tail = after && !isWord(after) ? (TAIL.exec(after.surface)?.[0] ?? "") : "";
        const below = piece.kind === "word" || piece.kind === "itself" ? (piece.gloss ?? "") : "";
        return (
          <span class={`word ${piece.kind === "unknown" ? "unknown" : ""}`}>
            <span>
              <span class={word === null ? "surface" : "surface matched"} data-word={word ?? undefined}>
                {visible(piece.surface)}
              </span>
              {visible(tail)}
            </span>
            <bdi class="gloss" lang={glossLanguage} dir="auto">{visible(below) || "\u00a0"}</bdi>
          </span>
        );
      })}
    </p>
  );
}
