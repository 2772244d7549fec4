/** Judgments by thumbs, stored by the service in every index that is compared. */

import { Failure, service } from "../api/service";

const key = (query: string, id: string): string => JSON.stringify([query, id]);

/** The grades that the service has: of a query and a document's id, as `key` joins them. */
export class Judgments {
  private readonly grades = new Map<string, number>();

  static async load(indexes: readonly string[]): Promise<Judgments> {
    const judgments = new Judgments();
    for (const stored of await Promise.all(indexes.map((index) => service.judgments(index)))) {
      for (const one of stored) judgments.note(one.query, one.id, one.grade);
    }
    return judgments;
  }

  get size(): number {
    return this.grades.size;
  }

  grade(query: string, id: string): number | undefined {
    return this.grades.get(key(query, id));
  }

  private note(query: string, id: string, grade: number | null): void {
    if (grade === null) this.grades.delete(key(query, id));
    else this.grades.set(key(query, id), grade);
  }

  /**
   * Stores a grade in each index that has the document, so that each can export all of them; the grade that it has
   * already is withdrawn.
   */
  async judge(indexes: readonly string[], query: string, language: string, id: string, pressed: number): Promise<void> {
    const grade = this.grade(query, id) === pressed ? null : pressed;
    const stored = await Promise.all([...new Set(indexes)].map((index) =>
      service.judge(index, { query, language, id, grade }).then(() => true, (error: unknown) => {
        if (error instanceof Failure && error.kind === "refused") return false; // not in this index
        throw error;
      })));
    if (stored.some(Boolean)) this.note(query, id, grade);
  }
}
