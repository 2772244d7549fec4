/** Keys that work anywhere on the page. */

import { closeReader } from "../parts/reader";
import { show, toggleGloss } from "./actions";
import { current, update } from "./store";

const typingIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input:not([type=checkbox]), select, textarea");

const titles = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".hit .title")];

const hitOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-hit]") : null;

/** Moves to the hit above or below; above the first one is the search box. */
function move(step: number, from: EventTarget | null): boolean {
  const all = titles();
  const hit = hitOf(from);
  const at = hit ? all.findIndex((title) => hit.contains(title)) : -1;
  const next = at + step;
  const target = next < 0 ? document.getElementById("query") : all[next];
  if (!target) return false;
  target.focus({ preventScroll: true });
  (target.closest(".hit") ?? target).scrollIntoView({ block: "nearest" });
  return true;
}

function focusSearch(): void {
  const box = document.getElementById("query") as HTMLInputElement | null;
  box?.focus();
  box?.select();
}

function escape(target: EventTarget | null): void {
  const { address } = current();
  const facet = document.querySelector<HTMLDetailsElement>("details.facet[open]");
  if (facet) {
    facet.open = false;
    facet.querySelector("summary")?.focus();
  } else if (address.document) closeReader();
  else if (address.why) {
    const title = hitOf(target)?.querySelector<HTMLElement>(".title");
    show({ why: "" });
    title?.focus();
  } else focusSearch();
}

function pressed(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (key === "Escape") return escape(target), true;
  const inBox = target instanceof HTMLElement && target.id === "query";
  const free = !typingIn(target);
  const inReader = target instanceof Element && target.closest(".reader, .facet") !== null;
  if ((key === "ArrowDown" || key === "ArrowUp") && (free || (inBox && key === "ArrowDown")) && !inReader) {
    return move(key === "ArrowDown" ? 1 : -1, target);
  }
  if (!free) return false;
  const hit = hitOf(target)?.dataset["hit"] ?? "";
  if (key === "/") return focusSearch(), true;
  if (key === "?") return update({ helpOpen: true }), true;
  if (key === "w" && hit) return show({ why: current().address.why === hit ? "" : hit }), true;
  if (key === "g" && current().answer) return toggleGloss(), true;
  return false;
}

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return; // a dialog has keys of its own
    if (pressed(event)) event.preventDefault();
  });
  addEventListener("click", (event) => {
    for (const facet of document.querySelectorAll<HTMLDetailsElement>("details.facet[open]")) {
      if (event.target instanceof Node && !facet.contains(event.target)) facet.open = false;
    }
  });
}
