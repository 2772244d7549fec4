/** Two indexes side by side, with thumbs whose judgments can be exported as qrels. */

import { useState } from "preact/hooks";

import { service } from "../api/service";
import type { Answer, Hit } from "../api/types";
import { show, wanted } from "../state/actions";
import { Judgments } from "../state/judgments";
import { usePage } from "../state/store";
import { count, languageName, t } from "../texts/texts";
import { Foreign, visible } from "./foreign";
import { MatchMeter } from "./hit";
import { Icon } from "./icons";
import { type Loaded, useLoaded } from "./loading";

interface ThumbsProps {
  grade: number | undefined;
  press: (grade: number) => void;
}

function Thumbs({ grade, press }: ThumbsProps) {
  return (
    <span class="thumbs">
      <button type="button" class="quiet icon-only" aria-pressed={grade === 1} aria-label={t("compare.good")} onClick={() => press(1)}>
        <Icon name="good" />
      </button>
      <button type="button" class="quiet icon-only" aria-pressed={grade === 0} aria-label={t("compare.bad")} onClick={() => press(0)}>
        <Icon name="bad" />
      </button>
    </span>
  );
}

function Column({ index, loaded, choose, judgments, judge, common }: {
  index: string;
  loaded: Loaded<Answer>;
  choose: (index: string) => void;
  judgments: Judgments | null;
  judge: (answer: Answer, hit: Hit, grade: number) => void;
  common: (id: string) => boolean;
}) {
  const { address, indexes } = usePage();
  const { value, failure } = loaded;
  return (
    <section class="column" aria-label={index}>
      <label class="select">
        <select aria-label={t("index")} value={index} onChange={(event) => choose(event.currentTarget.value)}>
          {indexes?.map((one) => <option value={one.name}>{one.name} ({one.system})</option>)}
        </select>
        <Icon name="down" />
      </label>
      {failure && <p class="note" role="alert">{visible(failure.message)}</p>}
      {address.query && !value && !failure && <p class="hint loading">{t("loading")}</p>}
      {value && !value.hits.length && <p class="note">{t("none.text")}</p>}
      <ol class="hits">
        {value?.hits.map((hit) => (
          <li key={hit.id}>
            <article class={common(hit.id) ? "hit" : "hit only"} data-hit={hit.id}>
              <header>
                <span class="language">{languageName(hit.language)}</span>
                <MatchMeter match={hit.match} />
                {judgments && (
                  <Thumbs grade={judgments.grade(value.query, hit.id)} press={(grade) => judge(value, hit, grade)} />
                )}
              </header>
              <div class="body">
                <h3 lang={hit.language || undefined} dir="auto">
                  <button type="button" class="title as-link" onClick={() => show({ index, document: hit.id })}>
                    {visible(hit.title || hit.id)}
                  </button>
                </h3>
                <Foreign as="p" class="snippet" text={hit.snippet.text} language={hit.language} marks={hit.snippet.marks} />
              </div>
            </article>
          </li>
        ))}
      </ol>
    </section>
  );
}

function useColumn(index: string) {
  const { address } = usePage();
  const request = { ...wanted(address, address.language), where: [], facets: [] };
  const key = address.query.trim() ? `${index}\n${JSON.stringify(request)}` : "";
  return useLoaded(key, (signal) => service.search(index, request, signal));
}

export function Comparison() {
  const { address } = usePage();
  const [, redraw] = useState(0);
  const [failed, setFailed] = useState(false);
  const sides = [address.index, address.other] as const;
  const { value: judgments } = useLoaded(sides.join("\n"), () => Judgments.load(sides));
  const loaded = [useColumn(sides[0]), useColumn(sides[1])] as const;
  const ids = loaded.map(({ value }) => new Set(value?.hits.map((hit) => hit.id)));
  const judge = (answer: Answer, hit: Hit, grade: number): void => {
    void judgments?.judge(sides, answer.query, answer.language.code, hit.id, grade).then(
      () => setFailed(false), () => setFailed(true),
    ).finally(() => redraw((number) => number + 1));
  };
  const total = judgments?.size ?? 0;
  const shared = { judgments, judge };
  return (
    <div class="comparison">
      <div class="comparison-bar">
        <span>{count("compare.judged", total)}</span>
        {total > 0 && (
          <>
            <a class="button" href={service.exported(sides[0], "qrels")} download="qrels.tsv">{t("compare.export")}</a>
            <a class="button" href={service.exported(sides[0], "queries")} download="queries.tsv">
              {t("compare.export.queries")}
            </a>
          </>
        )}
        {failed && <span class="wrong" role="alert">{t("compare.failed")}</span>}
        <button type="button" class="quiet leave" onClick={() => show({ other: "" })}>{t("compare.leave")}</button>
      </div>
      <div class="columns">
        <Column index={sides[0]} loaded={loaded[0]} choose={(index) => show({ index })} {...shared} common={(id) => ids[1]?.has(id) ?? false} />
        <Column index={sides[1]} loaded={loaded[1]} choose={(other) => show({ other })} {...shared} common={(id) => ids[0]?.has(id) ?? false} />
      </div>
    </div>
  );
}
