/** One hit: language and match, title, where it is from, the snippet, its other versions. */

import type { Hit, Match, Member } from "../api/types";
import { linkTo, show } from "../state/actions";
import { usePage } from "../state/store";
import { count, languageName, shortDate, t } from "../texts/texts";
import { Foreign, visible } from "./foreign";
import { Why } from "./why";

export function MatchMeter({ match }: { match: Match | null }) {
  if (!match) return null;
  return (
    <span class={`match ${match}`}>
      <span class="bars" aria-hidden="true"><i /><i /><i /></span>
      {t(`match.${match}`)}
    </span>
  );
}

interface OpenLinkProps {
  id: string;
  title: string;
  language: string;
  class?: string;
  isolated?: boolean; // no element around it has the direction of the title
}

/** The title of a document, which opens it; in a new tab too. */
export function OpenLink({ id, title, language, class: name, isolated = true }: OpenLinkProps) {
  const open = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    show({ document: id });
  };
  return (
    <a class={name} href={linkTo({ document: id })} onClick={open}>
      {isolated ? <Foreign text={title || id} language={language} /> : visible(title || id)}
    </a>
  );
}

function Origin({ hit }: { hit: Hit }) {
  const facts = [
    hit.file && <bdi class="file">{visible(hit.file)}</bdi>,
    hit.page && t("page", { n: hit.page }),
    hit.heading && <Foreign text={hit.heading} language={hit.language} />,
    hit.modified && shortDate(hit.modified),
  ].filter(Boolean);
  if (!facts.length) return null;
  return <p class="origin">{facts.map((fact) => <span>{fact}</span>)}</p>;
}

type Relation = "translation" | "copy" | "other";

function Members({ members }: { members: Member[] }) {
  const groups = new Map<Relation, Member[]>();
  for (const member of members) {
    const relation = member.relation ?? "other";
    groups.set(relation, [...(groups.get(relation) ?? []), member]);
  }
  return (
    <>
      {[...groups].map(([relation, versions]) => (
        <details class="members" key={relation}>
          <summary>
            {count(`members.${relation}`, versions.length)}
            <span class="codes">
              {[...new Set(versions.map((one) => languageName(one.language)))].join(" · ")}
            </span>
          </summary>
          <ul>
            {versions.map((one) => (
              <li key={one.id}>
                <span class="language">{languageName(one.language)}</span>
                <OpenLink id={one.id} title={one.title} language={one.language} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

export function HitView({ hit }: { hit: Hit }) {
  const { address, answer } = usePage();
  const explained = address.why === hit.id;
  const classes = ["hit", hit.match === "weak" && "faint", address.document === hit.id && "current"];
  return (
    <li>
      <article class={classes.filter(Boolean).join(" ")} data-hit={hit.id}>
        <header>
          <span class="language">{languageName(hit.language)}</span>
          <MatchMeter match={hit.match} />
        </header>
        <div class="body">
          <h3 lang={hit.language || undefined} dir="auto">
            <OpenLink class="title" id={hit.id} title={hit.title} language={hit.language} isolated={false} />
          </h3>
          <Origin hit={hit} />
          <Foreign as="p" class="snippet" text={hit.snippet.text} language={hit.language} marks={hit.snippet.marks} />
          {hit.gloss && <Foreign as="p" class="gloss-line" text={hit.gloss} language={answer?.language.code ?? ""} />}
          {hit.members && hit.members.length > 0 && <Members members={hit.members} />}
          <div class="actions">
            <button
              type="button"
              class="quiet why"
              aria-expanded={explained}
              onClick={() => show({ why: explained ? "" : hit.id })}
            >
              {t("why")}
            </button>
          </div>
          {explained && <Why id={hit.id} />}
        </div>
      </article>
    </li>
  );
}
