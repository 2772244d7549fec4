/** Requests to the service, and what can go wrong with them. */

import type {
  Answer, Explanation, IndexStats, IndexSummary, Judgment, Session, StoredDocument, Task,
} from "./types";

export type FailureKind = "offline" | "busy" | "key" | "forbidden" | "gone" | "refused" | "broken";

/** An answer that is not the wanted one, or none at all. */
export class Failure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly requestId = "",
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}

export interface SearchRequest {
  query: string;
  language: string;
  languages: string[];
  where: string[];
  facets: string[];
  gloss?: boolean;
  cursor?: string;
  k?: number;
}

const KINDS: Record<number, FailureKind> = {
  401: "key", 403: "forbidden", 410: "gone", 429: "busy", 503: "busy",
};

async function failure(response: Response): Promise<Failure> {
  const problem: unknown = await response.json().catch(() => ({}));
  const fields = (typeof problem === "object" && problem !== null ? problem : {}) as Record<string, unknown>;
  const text = (name: string): string => (typeof fields[name] === "string" ? fields[name] : "");
  const kind = KINDS[response.status] ?? (response.status < 500 ? "refused" : "broken");
  const message = text("detail") || text("title") || `${response.status} ${response.statusText}`;
  const wait = Number(response.headers.get("Retry-After")) || 0;
  return new Failure(kind, message, text("request_id") || (response.headers.get("X-Request-Id") ?? ""), wait);
}

async function request(path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  const headers = new Headers(options.headers);
  headers.set("X-Dragoman", "1");
  try {
    response = await fetch(path, { ...options, headers, credentials: "same-origin" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failure("offline", String(error));
  }
  if (!response.ok) throw await failure(response);
  return response;
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal ? { signal } : {});
  return (await response.json()) as T;
}

function send(path: string, method: string, body?: unknown): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return request(path, body === undefined ? { method } : { method, headers, body: JSON.stringify(body) });
}

const below = (index: string, path: string): string => `/v1/indexes/${encodeURIComponent(index)}/${path}`;
const documentPath = (id: string): string => `documents/${id.split("/").map(encodeURIComponent).join("/")}`;

function searchParameters(wanted: SearchRequest): URLSearchParams {
  const parameters = new URLSearchParams({ query: wanted.query, k: String(wanted.k ?? 10) });
  if (wanted.language) parameters.set("language", wanted.language);
  if (wanted.languages.length) parameters.set("languages", wanted.languages.join(","));
  for (const condition of wanted.where) parameters.append("where", condition);
  if (wanted.facets.length) parameters.set("facets", wanted.facets.join(","));
  if (wanted.gloss) parameters.set("gloss", "true");
  if (wanted.cursor) parameters.set("cursor", wanted.cursor);
  return parameters;
}

export const service = {
  async indexes(): Promise<IndexSummary[]> {
    const answer = await get<IndexSummary[] | { indexes: IndexSummary[] }>("/v1/indexes");
    return Array.isArray(answer) ? answer : answer.indexes;
  },

  stats: (index: string) => get<IndexStats>(below(index, "stats")),

  search: (index: string, wanted: SearchRequest, signal?: AbortSignal) =>
    get<Answer>(below(index, `search?${searchParameters(wanted)}`), signal),

  explain(index: string, query: string, id: string, language: string, signal?: AbortSignal) {
    const parameters = new URLSearchParams({ query, id });
    if (language) parameters.set("language", language);
    return get<Explanation>(below(index, `explain?${parameters}`), signal);
  },

  document(index: string, id: string, query: string, language: string, start = 0, signal?: AbortSignal) {
    const parameters = new URLSearchParams();
    if (query) parameters.set("query", query);
    if (query && language) parameters.set("language", language);
    if (start) parameters.set("start", String(start));
    return get<StoredDocument>(below(index, `${documentPath(id)}?${parameters}`), signal);
  },

  async documents(index: string, language: string, limit: number): Promise<StoredDocument[]> {
    const parameters = new URLSearchParams({ languages: language, limit: String(limit) });
    const answer = await get<{ documents: StoredDocument[] }>(below(index, `documents?${parameters}`));
    return answer.documents;
  },

  async similar(index: string, id: string, signal?: AbortSignal) {
    return (await get<Answer>(below(index, `${documentPath(id)}:similar?k=8`), signal)).hits;
  },

  task: (index: string, id: string) => get<Task>(below(index, `tasks/${encodeURIComponent(id)}`)),

  cancel: (index: string, id: string) => send(below(index, `tasks/${encodeURIComponent(id)}`), "DELETE"),

  async judgments(index: string): Promise<Judgment[]> {
    return (await get<{ judgments: Judgment[] }>(below(index, "judgments"))).judgments;
  },

  judge: (index: string, judgment: Judgment) => send(below(index, "judgments"), "POST", judgment),

  exported: (index: string, format: "qrels" | "queries") => below(index, `judgments?format=${format}`),

  session: () => get<Session>("/v1/session"),

  openSession: (key: string) => send("/v1/session", "POST", { key }),

  closeSession: () => send("/v1/session", "DELETE"),

  /** Uploads files; `progressed` gets the share that has been sent. */
  upload(index: string, files: File[], progressed: (share: number) => void): Promise<Task> {
    const form = new FormData();
    for (const file of files) form.append("files", file, file.webkitRelativePath || file.name);
    return new Promise((resolve, reject) => {
      const sender = new XMLHttpRequest(); // fetch has no progress of what is sent
      sender.open("POST", below(index, "files"));
      sender.setRequestHeader("X-Dragoman", "1");
      sender.upload.onprogress = (event) => progressed(event.total ? event.loaded / event.total : 0);
      sender.onerror = () => reject(new Failure("offline", ""));
      sender.onload = () => {
        const response = new Response(sender.responseText, {
          status: sender.status, headers: { "Retry-After": sender.getResponseHeader("Retry-After") ?? "" },
        });
        if (!response.ok) failure(response).then(reject, reject);
        else response.json().then((body: { task: Task }) => resolve(body.task), reject);
      };
      sender.send(form);
    });
  },
};
