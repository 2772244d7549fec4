/** The search box with the language of the query. */

import { useEffect, useRef } from "preact/hooks";

import { chooseLanguage, submit, typed } from "../state/actions";
import { usePage } from "../state/store";
import { languageName, t } from "../texts/texts";
import { Icon } from "./icons";

export function SearchBox({ large }: { large: boolean }) {
  const { address, status } = usePage();
  const input = useRef<HTMLInputElement>(null);
  const composing = useRef(false);

  // What is being typed is ahead of the address; Back, examples and links are not.
  useEffect(() => {
    const box = input.current;
    if (box && box.value !== address.query && (document.activeElement !== box || !box.dataset["typing"])) {
      box.value = address.query;
    }
  }, [address.query]);

  useEffect(() => {
    if (large && matchMedia("(hover: hover)").matches) input.current?.focus();
  }, []);

  const entered = (): void => {
    const box = input.current;
    if (!box || composing.current) return;
    box.dataset["typing"] = "1";
    typed(box.value);
  };

  const send = (event: Event): void => {
    event.preventDefault();
    if (!input.current) return;
    delete input.current.dataset["typing"];
    submit(input.current.value);
  };

  return (
    <form class={large ? "search large" : "search"} role="search" onSubmit={send}>
      <div class="box">
        <Icon name="search" />
        <input
          ref={input}
          id="query"
          type="text"
          enterkeyhint="search"
          dir="auto"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={2000}
          defaultValue={address.query}
          lang={address.language || undefined}
          placeholder={t("search.placeholder")}
          aria-label={t("search")}
          onInput={entered}
          onBlur={() => input.current && delete input.current.dataset["typing"]}
          onCompositionStart={() => (composing.current = true)}
          onCompositionEnd={() => {
            composing.current = false;
            entered();
          }}
        />
        {address.query && (
          <button
            type="button"
            class="quiet icon-only"
            aria-label={t("search.clear")}
            onClick={() => {
              if (!input.current) return;
              input.current.value = "";
              submit("");
              input.current.focus();
            }}
          >
            <Icon name="close" />
          </button>
        )}
        <kbd aria-hidden="true">/</kbd>
      </div>
      <div class={`progress ${status}`} aria-hidden="true" />
    </form>
  );
}

/** The language of the query: detected, or chosen from those of the index. */
export function QueryLanguage() {
  const { address, answer, stats } = usePage();
  const detected = answer?.language.code ?? "";
  const codes = new Set([...Object.keys(stats?.languages ?? {}), "en", address.language, detected]);
  const choices = [...codes].filter(Boolean).map((code) => [code, languageName(code)] as const);
  choices.sort((a, b) => a[1].localeCompare(b[1]));
  const how = answer?.language.certain ? "query.detected" : "query.assumed";
  const found = detected ? t(how, { language: languageName(detected) }) : t("query.detect");
  return (
    <label class="query-language">
      <span class="label">{t("query.in")}</span>
      <span class="select" title={answer?.language.reason ?? ""}>
        <select
          aria-label={t("query.language")}
          value={address.language}
          onChange={(event) => chooseLanguage(event.currentTarget.value)}
        >
          <option value="">{address.language ? t("query.detect") : found}</option>
          {choices.map(([code, name]) => <option value={code}>{name}</option>)}
        </select>
        <Icon name="down" />
      </span>
    </label>
  );
}
