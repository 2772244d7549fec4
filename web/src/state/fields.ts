/** Fields of metadata: which of them people know, and which only help to keep an index in step with files. */

const BOOKKEEPING = new Set(["complete", "digest", "encoding", "id", "modified", "pages", "path", "size"]);
const FIRST = ["format", "label", "tags", "author", "from", "year", "root"];
const MOST_FACETS = 8;

export const isShown = (name: string): boolean => !name.startsWith("_") && !BOOKKEEPING.has(name);

/** The fields that are offered as filters, the most telling first. */
export function facetFields(fields: string[]): string[] {
  const known = FIRST.filter((name) => fields.includes(name));
  return [...known, ...fields.filter((name) => isShown(name) && !known.includes(name))].slice(0, MOST_FACETS);
}

/** Whether the values of a field divide the hits into few groups. */
export function groups(counts: number[]): boolean {
  const hits = counts.reduce((sum, count) => sum + count, 0);
  return counts.length > 1 && counts.length <= Math.max(hits / 2, 2);
}
