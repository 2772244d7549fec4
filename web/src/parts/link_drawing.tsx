/** Curves from the words of the query to the words of the passage that they met. */

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

export interface DrawnLink {
  query: number; // of the elements with data-query
  word: number; // of the elements with data-word
  share: number;
}

interface Curve extends DrawnLink {
  path: string;
  long: boolean; // runs behind lines of text
}

interface Drawing {
  width: number;
  height: number;
  curves: Curve[];
}

const THINNEST = 1.25;
const THICKEST = 5;
const LONG = 110; // px

/** The curves between the elements as they lie now, relative to their frame. */
function draw(frame: HTMLElement, links: DrawnLink[]): Drawing {
  const origin = frame.getBoundingClientRect();
  const curves = links.flatMap((link) => {
    const from = frame.querySelector(`[data-query="${link.query}"]`);
    const to = frame.querySelector(`[data-word="${link.word}"]`);
    if (!from || !to) return [];
    const start = from.getBoundingClientRect();
    const end = to.getBoundingClientRect();
    const x1 = start.left + start.width / 2 - origin.left;
    const x2 = end.left + end.width / 2 - origin.left;
    const [y1, y2] = [start.bottom - origin.top, end.top - origin.top];
    const bend = Math.min(Math.max((y2 - y1) * 0.55, 14), 70);
    return [{ ...link, long: y2 - y1 > LONG, path: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` }];
  });
  return { width: origin.width, height: origin.height, curves };
}

export function LinkDrawing({ frame, links, active }: {
  frame: RefObject<HTMLElement | null>;
  links: DrawnLink[];
  active: number | null; // a word of the query whose links stand out
}) {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const redraw = (): void => setDrawing(draw(element, links));
    redraw();
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [links]);
  if (!drawing) return null;
  const most = Math.max(...links.map((link) => link.share), 0.01);
  return (
    <svg
      class={active === null ? "links" : "links chosen"}
      width={drawing.width}
      height={drawing.height}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      aria-hidden="true"
    >
      {drawing.curves.map((curve) => (
        <path
          d={curve.path}
          class={curve.query === active ? "active" : curve.long ? "long" : ""}
          stroke-width={THINNEST + (THICKEST - THINNEST) * (curve.share / most)}
        />
      ))}
    </svg>
  );
}
