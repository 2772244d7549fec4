/** The state that the page's address holds, so that a search can be shared and Back works. */

export interface Address {
  index: string;
  other: string; // the second index of a comparison
  query: string;
  language: string; // of the query, where a person chose it
  languages: string[]; // of the hits
  where: string[];
  document: string;
  why: string;
  gloss: boolean;
}

export const NOTHING: Address = {
  index: "", other: "", query: "", language: "", languages: [], where: [], document: "", why: "", gloss: false,
};

export function readAddress(search: string): Address {
  const parameters = new URLSearchParams(search);
  const one = (name: string): string => parameters.get(name) ?? "";
  return {
    index: one("index"),
    other: one("other"),
    query: one("query"),
    language: one("language"),
    languages: one("languages").split(",").filter(Boolean),
    where: parameters.getAll("where"),
    document: one("document"),
    why: one("why"),
    gloss: one("gloss") === "1",
  };
}

/** The address with this state; what is empty is left out, and so is the only index of a service. */
export function writeAddress(address: Address, onlyIndex = ""): string {
  const parameters = new URLSearchParams();
  for (const name of ["index", "other", "query", "language", "document", "why"] as const) {
    if (address[name] && !(name === "index" && address.index === onlyIndex)) parameters.set(name, address[name]);
  }
  if (address.languages.length) parameters.set("languages", address.languages.join(","));
  for (const condition of address.where) parameters.append("where", condition);
  if (address.gloss) parameters.set("gloss", "1");
  const text = parameters.toString();
  return text ? `/?${text}` : "/";
}

/** The values of a field that the conditions select, as in `format=pdf|html`. */
export function chosenValues(where: string[], field: string): string[] {
  const condition = where.find((one) => one.startsWith(`${field}=`));
  return condition ? condition.slice(field.length + 1).split("|") : [];
}

export function withChosen(where: string[], field: string, values: string[]): string[] {
  const others = where.filter((one) => !one.startsWith(`${field}=`));
  return values.length ? [...others, `${field}=${values.join("|")}`] : others;
}
