/** The sheet of keys, and the question for a key to the service. */

import { useEffect, useRef, useState } from "preact/hooks";

import { Failure, service } from "../api/service";
import { start } from "../state/actions";
import { update, usePage } from "../state/store";
import { t, type TextName } from "../texts/texts";
import { visible } from "./foreign";
import { Icon } from "./icons";

const KEYS: [keys: string[], text: TextName][] = [
  [["/"], "help.slash"],
  [["↑", "↓"], "help.arrows"],
  [["Enter"], "help.enter"],
  [["w"], "help.why"],
  [["g"], "help.gloss"],
  [["n", "p"], "help.marks"],
  [["Esc"], "help.escape"],
  [["?"], "help.question"],
];

function useDialog(open: boolean) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return dialog;
}

export function HelpSheet() {
  const { helpOpen } = usePage();
  const dialog = useDialog(helpOpen);
  const close = (): void => update({ helpOpen: false });
  return (
    <dialog class="sheet" ref={dialog} onClose={close} aria-labelledby="help-title"
      onClick={(event) => event.target === dialog.current && close()}>
      <div class="sheet-body">
        <header>
          <h2 id="help-title">{t("help.title")}</h2>
          <button type="button" class="quiet icon-only" aria-label={t("close")} onClick={close}><Icon name="close" /></button>
        </header>
        <dl class="keys">
          {KEYS.map(([keys, text]) => (
            <div>
              <dt>{keys.map((key) => <kbd>{key}</kbd>)}</dt>
              <dd>{t(text)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </dialog>
  );
}

export function KeyDialog() {
  const { keyWanted } = usePage();
  const dialog = useDialog(keyWanted);
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState("");
  const open = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await service.openSession(input.current?.value.trim() ?? "");
    } catch (error) {
      const refused = error instanceof Failure && ["key", "forbidden"].includes(error.kind);
      setWrong(refused ? t("key.wrong") : error instanceof Failure ? error.message : String(error));
      return;
    }
    if (input.current) input.current.value = "";
    setWrong("");
    update({ keyWanted: false, failure: null, status: "idle" });
    await start();
  };
  return (
    <dialog class="sheet" ref={dialog} aria-labelledby="key-title" onCancel={(event) => event.preventDefault()}>
      <form class="sheet-body" onSubmit={(event) => void open(event)}>
        <h2 id="key-title">{t("key.title")}</h2>
        <p>{t("key.text")}</p>
        <label class="field">
          {t("key.label")}
          <input ref={input} type="password" autocomplete="current-password" required dir="ltr"
            aria-invalid={Boolean(wrong)} aria-describedby="key-wrong" />
        </label>
        <p id="key-wrong" class="wrong" role="alert">{visible(wrong)}</p>
        <button type="submit" class="primary">{t("key.open")}</button>
      </form>
    </dialog>
  );
}
