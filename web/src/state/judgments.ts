/** Judgments by thumbs, stored in this browser until they are exported. */

export interface JudgedQuery {
  text: string;
  language: string;
  grades: Record<string, number>; // document id -> 1 relevant, 0 not
}

const STORED = "dragoman.judgments";

export function judgments(): JudgedQuery[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? (stored as JudgedQuery[]) : [];
  } catch {
    return [];
  }
}

export function gradeOf(query: string, id: string): number | undefined {
  return judgments().find((one) => one.text === query)?.grades[id];
}

/** Grades a document; the same grade again takes it back. */
export function judge(query: string, language: string, id: string, grade: number): void {
  const all = judgments();
  let judged = all.find((one) => one.text === query);
  if (!judged) all.push((judged = { text: query, language, grades: {} }));
  if (judged.grades[id] === grade) delete judged.grades[id];
  else judged.grades[id] = grade;
  const left = all.filter((one) => Object.keys(one.grades).length);
  localStorage.setItem(STORED, JSON.stringify(left));
}

export function forgetJudgments(): void {
  localStorage.removeItem(STORED);
}

export function countJudgments(): number {
  return judgments().reduce((sum, one) => sum + Object.keys(one.grades).length, 0);
}

const queryId = (number: number): string => `q${String(number + 1).padStart(3, "0")}`;

/** As `dragoman evaluate --qrels` reads them: query-id, corpus-id, score. */
export function qrels(): string {
  const lines = judgments().flatMap((one, number) =>
    Object.entries(one.grades).map(([id, grade]) => `${queryId(number)}\t${id}\t${grade}`));
  return ["query-id\tcorpus-id\tscore", ...lines, ""].join("\n");
}

/** As `dragoman run --queries` reads them. */
export function queries(): string {
  const lines = judgments().map((one, number) =>
    JSON.stringify({ _id: queryId(number), text: one.text, lang: one.language }));
  return [...lines, ""].join("\n");
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
