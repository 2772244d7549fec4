/** What the service answers, as far as the page reads it. */

export type Match = "good" | "fair" | "weak";
export type Span = [start: number, end: number]; // in code points, as Python counts

export interface IndexSummary {
  name: string;
  documents: number;
  languages: Record<string, number>;
  system: string;
}

export interface IndexStats {
  documents: number;
  languages: Record<string, number>;
  system: string;
  warnings?: string[];
  fields?: string[];
}

export interface Snippet {
  text: string;
  marks: Span[];
}

export interface Member {
  id: string;
  language: string;
  title: string;
  relation: "copy" | "translation" | null;
}

export interface ScorePart {
  system: string;
  score: number;
  added: number;
}

export interface Hit {
  rank: number;
  id: string;
  score: number;
  match: Match | null;
  language: string;
  title: string;
  snippet: Snippet;
  file?: string | null;
  page?: number | null;
  heading?: string | null;
  modified?: string | null;
  members?: Member[];
  gloss?: string | null; // of the snippet, in the language of the query
}

export interface FacetValue {
  value: string | number | boolean;
  count: number;
}

export interface QueryLanguage {
  code: string;
  detected: boolean;
  reason?: string | null;
  certain: boolean;
}

export interface Answer {
  query: string;
  language: QueryLanguage;
  hits: Hit[];
  window: { hits: number; limit: number };
  facets: Record<string, FacetValue[]>;
  next: string | null;
  warnings: string[];
  verdict: Match | "none" | null;
}

export interface Link {
  query_word: string;
  document_word: string;
  weight: number;
  share: number;
}

export interface GlossedPiece {
  surface: string;
  gloss: string | null;
  kind: "word" | "itself" | "unknown" | "left out" | "between";
  word: string;
}

export interface Explanation {
  query: string;
  language: string;
  document: { id: string; language: string; title: string };
  score: number | null;
  parts: ScorePart[];
  by_vectors: boolean;
  links: Link[];
  passage: string;
  marks: Span[];
  words: GlossedPiece[];
  warning: string | null;
}

export interface StoredDocument {
  id: string;
  title: string;
  text: string;
  language: string;
  metadata: Record<string, unknown>;
  marks?: Span[];
  start?: number;
  end?: number;
  letters?: number; // of the whole text
}

export interface Task {
  id: string;
  kind: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  added: number; // documents
  reason: string; // why it waits or has failed
  errors: { file?: string; id?: string; reason: string }[];
}

export interface Judgment {
  query: string;
  language: string;
  id: string;
  grade: number | null;
}

export interface Session {
  scopes: string[];
  key_needed: boolean;
}
