/** Texts of documents and queries: always text, never markup, isolated from the direction of the page. */

import type { ComponentChildren } from "preact";

import type { Span } from "../api/types";

// Embeddings, overrides and isolates could reorder the page; controls have no shape of their own.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;
const PIECES = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069])/u;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The text with its control characters shown by their code. */
export function visible(text: string): ComponentChildren {
  if (!CONTROLS.test(text)) return text;
  return text.split(PIECES).map((piece) =>
    piece.length === 1 && CONTROLS.test(piece) ? <span class="control">{codeOf(piece)}</span> : piece,
  );
}

/** The text with the spans marked; spans count code points. */
export function marked(text: string, spans: Span[], first = 0): ComponentChildren {
  const letters = /[\ud800-\udfff]/.test(text) ? Array.from(text) : null;
  const slice = (start: number, end?: number): string =>
    letters ? letters.slice(start, end).join("") : text.slice(start, end);
  const shown: ComponentChildren[] = [];
  let position = 0;
  spans.forEach(([start, end], number) => {
    if (start < position || end <= start) return;
    shown.push(visible(slice(position, start)));
    shown.push(<mark data-mark={first + number}>{visible(slice(start, end))}</mark>);
    position = end;
  });
  shown.push(visible(slice(position)));
  return shown;
}

type Tag = "bdi" | "p" | "div" | "h2" | "h3" | "span";

interface ForeignProps {
  as?: Tag;
  class?: string;
  text: string;
  language?: string;
  marks?: Span[];
}

/** A text in a language of its own. */
export function Foreign({ as: Element = "bdi", class: name, text, language, marks }: ForeignProps) {
  return (
    <Element class={name} lang={language || undefined} dir="auto">
      {marks ? marked(text, marks) : visible(text)}
    </Element>
  );
}
