/** The page: header, search, hits, the open document, and what lies above them. */

import { useEffect } from "preact/hooks";

import { chooseIndex, goHome, leave, linkTo, show, showMore, toggleGloss } from "../state/actions";
import { update, usePage } from "../state/store";
import { count, LANGUAGES, setLanguage, t } from "../texts/texts";
import { AddButton, Adding } from "./adding";
import { Comparison } from "./comparison";
import { HelpSheet, KeyDialog } from "./dialogs";
import { Filters } from "./filters";
import { visible } from "./foreign";
import { HitView } from "./hit";
import { Icon, Logo } from "./icons";
import { Reader } from "./reader";
import { SearchBox } from "./search_box";
import { FailureNotice, NoHits, WeakNotice, Welcome } from "./states";
import { ThemeSelect } from "./theme";

function LanguageSelect() {
  const { language } = usePage();
  const choose = async (wanted: string): Promise<void> => {
    await setLanguage(wanted, true);
    update({ language: wanted });
  };
  return (
    <label class="select compact">
      <select aria-label={t("settings.language")} value={language} onChange={(event) => void choose(event.currentTarget.value)}>
        {Object.entries(LANGUAGES).map(([code, name]) => <option value={code} lang={code}>{name}</option>)}
      </select>
      <Icon name="down" />
    </label>
  );
}

function IndexSelect() {
  const { address, indexes } = usePage();
  if (!indexes || indexes.length < 2 || address.other) return null;
  const second = indexes.find((one) => one.name !== address.index)?.name ?? "";
  return (
    <>
      <label class="select">
        <select aria-label={t("index")} value={address.index} onChange={(event) => void chooseIndex(event.currentTarget.value)}>
          {indexes.map((one) => <option value={one.name}>{one.name}</option>)}
        </select>
        <Icon name="down" />
      </label>
      <button type="button" class="quiet" title={t("compare.with")} onClick={() => show({ other: second, document: "", why: "" })}>
        <Icon name="compare" /> <span>{t("compare")}</span>
      </button>
    </>
  );
}

function Header() {
  const { session } = usePage();
  const mayWrite = session && (!session.key_needed || session.scopes.includes("write") || session.scopes.includes("admin"));
  return (
    <header class="top">
      <a class="home" href={linkTo({ query: "", document: "", why: "", languages: [], where: [], language: "", other: "" })}
        onClick={(event) => { event.preventDefault(); goHome(); }}>
        <Logo /> <span>Dragoman</span>
      </a>
      <nav>
        <IndexSelect />
        {mayWrite && <AddButton />}
        <LanguageSelect />
        <ThemeSelect />
        {session?.key_needed && session.scopes.length > 0 && (
          <button type="button" class="quiet" onClick={() => void leave()}>{t("key.leave")}</button>
        )}
        <button type="button" class="quiet help" aria-label={t("help")} onClick={() => update({ helpOpen: true })}>?</button>
      </nav>
    </header>
  );
}

/** How many hits there are; at the limit of a ranking, that these are the best of more. */
function hitCount(hits: number, limit: number): string {
  return hits >= limit ? t("hits.most", { n: hits }) : count("hits", hits);
}

function Results() {
  const { answer, status, failure, loadingMore, address } = usePage();
  if (!answer) return <FailureNotice />;
  const poor = answer.verdict === "weak" || answer.verdict === "none";
  return (
    <>
      <Filters />
      <FailureNotice />
      {answer.warnings.map((warning) => <p class="note" key={warning}><bdi>{visible(warning)}</bdi></p>)}
      <div class={status === "idle" || failure ? "results" : "results waiting"} aria-busy={status !== "idle" && !failure}>
        {answer.hits.length === 0 ? <NoHits /> : (
          <>
            {poor && <WeakNotice />}
            <div class="summary">
              <p>{hitCount(answer.window.hits, answer.window.limit)}</p>
              <label class="switch">
                <input type="checkbox" checked={address.gloss} onChange={toggleGloss} />
                {t("gloss")}
              </label>
            </div>
            <ol class="hits">{answer.hits.map((hit) => <HitView key={hit.id} hit={hit} />)}</ol>
            {answer.next ? (
              <button type="button" class="more" disabled={loadingMore} onClick={() => void showMore()}>
                {loadingMore ? t("loading") : t("more")}
              </button>
            ) : <p class="hint end">{t("end")}</p>}
          </>
        )}
      </div>
    </>
  );
}

function Announcer() {
  const { answer, status } = usePage();
  const text = status === "slow" ? t("slow")
    : answer && status === "idle" ? hitCount(answer.window.hits, answer.window.limit) : "";
  return <p class="unseen" aria-live="polite">{text}</p>;
}

export function App() {
  const { address, status, answer, failure } = usePage();
  const searching = Boolean(address.query) || Boolean(address.other);
  useEffect(() => {
    document.title = address.query ? `${address.query} – Dragoman` : "Dragoman";
  }, [address.query]);
  const classes = ["page", searching ? "searching" : "resting", address.document && "reading"];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <Header />
      <main>
        <div class="column-main">
          {!searching && <h1>{t("tagline")}</h1>}
          <SearchBox key="box" large={!searching} />
          {status === "slow" && <p class="hint slow">{t("slow")}</p>}
          {address.other ? <Comparison /> : searching ? <Results /> : (failure ? <FailureNotice /> : <Welcome />)}
          {searching && !answer && status === "waiting" && !address.other && <Skeleton />}
        </div>
        {address.document && <Reader />}
      </main>
      <Announcer />
      <Adding />
      <HelpSheet />
      <KeyDialog />
    </div>
  );
}

/** The shape of hits while the first answer is on its way. */
function Skeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      {[0, 1, 2].map((number) => <div key={number}><i /><i /><i /></div>)}
    </div>
  );
}
