/** Adding files: dropped anywhere on the page or chosen, then followed until they are indexed. */

import { useEffect, useRef, useState } from "preact/hooks";

import { Failure, service } from "../api/service";
import type { Task } from "../api/types";
import { refresh } from "../state/actions";
import { current, usePage } from "../state/store";
import { count, t } from "../texts/texts";
import { visible } from "./foreign";
import { Icon } from "./icons";

const POLLED = 600; // ms between questions about a task
const ENDED = new Set(["done", "failed", "cancelled"]);

interface Upload {
  number: number;
  index: string;
  files: number;
  sent: number; // share
  task: Task | null;
  failure: string;
}

let uploads: Upload[] = [];
let numbers = 0;
const listeners = new Set<() => void>();

function change(number: number, changes: Partial<Upload> | null): void {
  uploads = changes
    ? uploads.map((one) => (one.number === number ? { ...one, ...changes } : one))
    : uploads.filter((one) => one.number !== number);
  for (const listener of listeners) listener();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The chosen index; files may be dropped before the page knows it. */
async function knownIndex(): Promise<string> {
  for (let tries = 0; tries < 50 && !current().address.index; tries += 1) await pause(100);
  return current().address.index;
}

export async function add(files: File[]): Promise<void> {
  if (!files.length) return;
  const index = await knownIndex();
  const number = ++numbers;
  uploads = [...uploads, { number, index, files: files.length, sent: 0, task: null, failure: "" }];
  change(number, {});
  try {
    let task = await service.upload(index, files, (sent) => change(number, { sent }));
    change(number, { task, sent: 1 });
    while (!ENDED.has(task.state)) {
      await pause(POLLED);
      task = await service.task(index, task.id);
      change(number, { task });
    }
    await refresh();
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure("broken", String(error));
    const texts = { offline: t("offline.title"), forbidden: t("forbidden"), busy: t("busy.title") };
    change(number, { failure: texts[failure.kind as keyof typeof texts] ?? failure.message });
  }
}

export function AddButton() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="add" onClick={() => input.current?.click()}>
        <Icon name="add" /> <span>{t("add")}</span>
      </button>
      <input
        ref={input}
        class="unseen"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          void add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

function stateText(upload: Upload): string {
  const { task } = upload;
  if (upload.failure) return upload.failure;
  if (!task) return t("task.sending", { files: count("files", upload.files) });
  if (task.state === "running") return t("task.running", { n: task.done, total: task.total });
  if (task.state === "done") return count("task.done", task.added);
  return [t(`task.${task.state}`), task.reason].filter(Boolean).join(": ");
}

function UploadView({ upload }: { upload: Upload }) {
  const { task, number } = upload;
  const ended = Boolean(upload.failure) || (task !== null && ENDED.has(task.state));
  const share = task ? (task.total ? task.done / task.total : 0) : upload.sent;
  const cancel = async (): Promise<void> => {
    if (task) await service.cancel(upload.index, task.id).catch(() => undefined);
  };
  return (
    <li class={upload.failure || task?.state === "failed" ? "upload failed" : "upload"}>
      <div class="line">
        <span role="status">{visible(stateText(upload))}</span>
        {ended ? (
          <button type="button" class="quiet icon-only" aria-label={t("task.close")} onClick={() => change(number, null)}>
            <Icon name="close" />
          </button>
        ) : task && (
          <button type="button" class="quiet" onClick={() => void cancel()}>{t("task.cancel")}</button>
        )}
      </div>
      {!ended && <progress value={share} max={1} aria-label={stateText(upload)} />}
      {task && task.errors.length > 0 && (
        <details>
          <summary>{count("task.errors", task.errors.length)}</summary>
          <ul>
            {task.errors.slice(0, 100).map((one) => (
              <li>
                <bdi class="file">{visible(one.file ?? one.id ?? "")}</bdi> <bdi>{visible(one.reason)}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** All files of what was dropped, folders included. */
async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return [...transfer.files];
  const files: File[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      Object.defineProperty(file, "webkitRelativePath", { value: entry.fullPath.replace(/^\//, "") });
      files.push(file);
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const one of some) await walk(one);
    }
  };
  for (const entry of entries) if (entry) await walk(entry);
  return files;
}

/** The whole page takes files; the tray shows what becomes of them. */
export function Adding() {
  const { address } = usePage();
  const [over, setOver] = useState(false);
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = (): void => redraw((number) => number + 1);
    listeners.add(listener);
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (!event.relatedTarget) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      setOver(false);
      void droppedFiles(event.dataTransfer).then(add);
    };
    addEventListener("dragenter", enter);
    addEventListener("dragover", enter);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      listeners.delete(listener);
      removeEventListener("dragenter", enter);
      removeEventListener("dragover", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return (
    <>
      {over && (
        <div class="drop">
          <div>
            <Icon name="add" />
            <p>{t("add.drop", { index: address.index })}</p>
            <p class="hint">{t("add.formats")}</p>
          </div>
        </div>
      )}
      {uploads.length > 0 && (
        <ul class="tray">{uploads.map((upload) => <UploadView key={upload.number} upload={upload} />)}</ul>
      )}
    </>
  );
}
