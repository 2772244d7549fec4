/** Judgments by thumbs, stored by the service in every index that is compared. */

import { Failure, service } from "../api/service";

const key = (query: string, id: string): string => JSON.stringify([query, id]);

/** The grades that the service has: of a query and a document's id, as `key` joins them. */
export class Judgments {
  private readonly grades = new Map<string, number>();

  static async load(indexes: readonly string[]): Promise<Judgments> {
    const judgments = new Judgments();
    for (const stored of await Promise.all(indexes.map((index) => service.judgments(index)))) {
      for (const one of stored) judgments.grades.set(key(one.query, one.id), one.grade);
    }
    return judgments;
  }

  get size(): number {
    return this.grades.size;
  }

  grade(query: string, id: string): number | undefined {
    return this.grades.get(key(query, id));
  }

  /** Stores a grade in each index that has the document, so that each can export all of them. */
  async judge(indexes: readonly string[], query: string, language: string, id: string, grade: number): Promise<void> {
    const stored = await Promise.all([...new Set(indexes)].map((index) =>
      service.judge(index, { query, language, id, grade }).then(() => true, (error: unknown) => {
        if (error instanceof Failure && error.kind === "refused") return false; // not in this index
        throw error;
      })));
    if (stored.some(Boolean)) this.grades.set(key(query, id), grade);
  }
}
