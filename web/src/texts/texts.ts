/** The texts of the page in the reader's language: one JSON file a language, English where one lacks a text. */

import english from "./en.json";

export type TextName = keyof typeof english;
type Texts = Partial<Record<string, string>>;

export const LANGUAGES: Record<string, string> = { en: "English", de: "Deutsch", ar: "العربية" };

const loaders: Record<string, () => Promise<{ default: Texts }>> = {
  de: () => import("./de.json"),
  ar: () => import("./ar.json"),
};

const STORED = "dragoman.language";
const RIGHT_TO_LEFT = new Set(["ar"]);

let current = "en";
let texts: Texts = english;
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");
let percents = new Intl.NumberFormat("en", { style: "percent" });
let names = new Intl.DisplayNames("en", { type: "language" });

/** The language that was chosen before, else the first of the browser's that the page has. */
export function preferredLanguage(): string {
  const stored = localStorage.getItem(STORED);
  const wanted = [...(stored ? [stored] : []), ...navigator.languages.map((one) => one.split("-")[0] ?? "")];
  return wanted.find((one) => one in LANGUAGES) ?? "en";
}

export async function setLanguage(language: string, remember = false): Promise<void> {
  texts = loaders[language] ? (await loaders[language]()).default : english;
  current = language;
  plurals = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(language);
  percents = new Intl.NumberFormat(language, { style: "percent" });
  names = new Intl.DisplayNames(language, { type: "language" });
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
  if (remember) localStorage.setItem(STORED, language);
}

export const language = (): string => current;

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

export function t(name: TextName, values: Record<string, string | number> = {}): string {
  return fill(texts[name] ?? english[name], values);
}

type Counted<Name> = Name extends `${infer Stem}.other` ? Stem : never;

/** A text whose form depends on a number: `documents` for one, two, few, many. */
export function count(stem: Counted<TextName>, n: number): string {
  const forms: Partial<Record<string, string>> = texts;
  const text = forms[`${stem}.${plurals.select(n)}`] ?? forms[`${stem}.other`] ?? english[`${stem}.other`];
  return fill(text, { n });
}

export const percent = (share: number): string => percents.format(share);

/** The name of a language in the language of the page; the code where it has none. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** A date as people write it, where the text is one. */
export function shortDate(text: string): string {
  const date = new Date(text);
  const region = navigator.languages.find((one) => one.split("-")[0] === current) ?? current;
  return Number.isNaN(date.getTime()) ? text : date.toLocaleDateString(region, { dateStyle: "medium" });
}
