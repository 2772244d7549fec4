/** Language chips and facets with counts within the ranking. */

import type { FacetValue } from "../api/types";
import { chosenValues, withChosen } from "../state/address";
import { refine } from "../state/actions";
import { groups } from "../state/fields";
import { usePage } from "../state/store";
import { languageName, t } from "../texts/texts";
import { visible } from "./foreign";
import { Icon } from "./icons";
import { QueryLanguage } from "./search_box";

const toggled = (values: string[], value: string): string[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value];

function LanguageChips() {
  const { address, answer } = usePage();
  const counted = new Map(answer?.facets["language"]?.map((one) => [String(one.value), one.count]));
  for (const code of address.languages) if (!counted.has(code)) counted.set(code, 0);
  if (counted.size < 2 && !address.languages.length) return null;
  return (
    <div class="chips" role="group" aria-label={t("filter.languages")}>
      <button
        type="button"
        class="chip"
        aria-pressed={!address.languages.length}
        onClick={() => refine({ languages: [] })}
      >
        {t("all.languages")}
      </button>
      {[...counted].map(([code, count]) => (
        <button
          type="button"
          class="chip"
          key={code}
          data-language={code}
          aria-pressed={address.languages.includes(code)}
          onClick={() => refine({ languages: toggled(address.languages, code) })}
        >
          {languageName(code)} <span class="count">{count}</span>
        </button>
      ))}
    </div>
  );
}

function Facet({ field, values }: { field: string; values: FacetValue[] }) {
  const { address, answer } = usePage();
  const chosen = chosenValues(address.where, field);
  const shown = new Map(values.map((one) => [String(one.value), one.count]));
  for (const value of chosen) if (!shown.has(value)) shown.set(value, 0);
  return (
    <details class="facet" name="facet">
      <summary class={chosen.length ? "chip chosen" : "chip"}>
        <bdi>{visible(field)}</bdi>
        {chosen.length > 0 && <span class="count">{chosen.length}</span>}
        <Icon name="down" />
      </summary>
      <fieldset class="panel">
        <legend class="hint">{t("filter.count", { n: answer?.window.hits ?? 0 })}</legend>
        {[...shown].slice(0, 40).map(([value, count]) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() => refine({ where: withChosen(address.where, field, toggled(chosen, value)) })}
            />
            <bdi>{visible(value)}</bdi>
            <span class="count">{count}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

export function Filters() {
  const { address, answer } = usePage();
  const facets = Object.entries(answer?.facets ?? {}).filter(
    ([field, values]) => field !== "language"
      && (groups(values.map((one) => one.count)) || chosenValues(address.where, field).length > 0),
  );
  const filtered = address.where.length > 0 || address.languages.length > 0;
  return (
    <div class="filters">
      <LanguageChips />
      <div class="tools">
        <QueryLanguage />
        {facets.map(([field, values]) => <Facet key={field} field={field} values={values} />)}
        {filtered && (
          <button type="button" class="quiet" onClick={() => refine({ where: [], languages: [] })}>
            {t("filters.clear")}
          </button>
        )}
      </div>
    </div>
  );
}
