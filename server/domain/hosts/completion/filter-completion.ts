// Suggestions for the filter of the hosts page, and corrections of misspelled words (docs/design/console.md#host-filter).
import { standings, standingText } from "@/server/domain/assurance/standing";
import { closest } from "@/server/domain/hosts/completion/closest";
import { filteredHealth, filteredOwners, filterKeys } from "@/server/domain/hosts/host-filter";
import type { FilterKey } from "@/server/domain/hosts/host-filter";
import { hostSetNames, hostSets } from "@/server/domain/hosts/host-groups";
import { tones } from "@/server/domain/lifecycle/state-rows/state-row";
import { allStates, failureCauses, topLevel } from "@/server/domain/lifecycle/states";

/** Keys whose values only the server knows. */
export const storedFilterKeys = [
  "site",
  "rack",
  "segment",
  "domain",
  "sku",
  "tenant",
  "image",
  "alert",
] as const;
export type StoredValues = Readonly<Record<(typeof storedFilterKeys)[number], readonly string[]>>;
/** For callers that do not ask the server for them. */
export const noStoredValues: StoredValues = {
  site: [],
  rack: [],
  segment: [],
  domain: [],
  sku: [],
  tenant: [],
  image: [],
  alert: [],
};

export interface Completion {
  /** The text of the suggestion: a key with its colon, or a value. */
  readonly words: string;
  readonly about: string;
  /** The whole filter after accepting it, and the position of the cursor then. */
  readonly filter: string;
  readonly caret: number;
}

const keyLabels = {
  state: "state of the host",
  cause: "cause of a failure",
  failure: "group of failures",
  tone: "tone of the state",
  standing: "what is proven of the host",
  is: "named set",
  sla: "over or within its state's limit",
  site: "site",
  rack: "rack",
  segment: "network segment",
  domain: "power domain",
  sku: "SKU",
  tenant: "tenant",
  image: "agent image",
  firmware: "component and version",
  model: "model of the machine",
  label: "label, or label=value",
  health: "overall health",
  alert: "alert or classification",
  owner: "who has the host",
  maintenance: "in maintenance",
  allocatable: "may be allocated",
  overdue: "over its reclamation's limit",
  silent: "agent has missed a call",
} as const satisfies Record<FilterKey, string>;

const states = [...new Set([...allStates().map(topLevel), ...allStates()])];
const yesOrNo = ["true", "false"];
const most = 8;

/** The values of a key; none if it takes any text. */
function valuesOf(key: FilterKey, stored: StoredValues): readonly string[] {
  switch (key) {
    case "state":
      return states;
    case "cause":
      return failureCauses;
    case "failure":
    case "firmware":
    case "model":
    case "label":
      return [];
    case "tone":
      return tones;
    case "standing":
      return standings;
    case "is":
      return hostSetNames;
    case "sla":
      return ["over", "within"];
    case "health":
      return filteredHealth;
    case "owner":
      return filteredOwners;
    case "maintenance":
    case "allocatable":
    case "overdue":
    case "silent":
      return yesOrNo;
    default:
      return stored[key];
  }
}

/** First those that begin with the typed text, then those that contain it; if there are none, the closest. */
function matching<T extends string>(typed: string, known: readonly T[]): readonly T[] {
  const wanted = typed.toLowerCase();
  const begin = known.filter((word) => word.toLowerCase().startsWith(wanted));
  const within = known.filter((word) => !begin.includes(word) && word.toLowerCase().includes(wanted));
  const found = [...begin, ...within].slice(0, most);
  if (found.length > 0) return found;
  const near = closest(typed, known);
  return near === null ? [] : [near];
}

/** Start of the word at `caret`: after the last unquoted space. */
function wordStart(filter: string, caret: number): number {
  let start = 0;
  let quoted = false;
  for (let at = 0; at < caret; at += 1) {
    if (filter[at] === '"') quoted = !quoted;
    else if (!quoted && /\s/.test(filter[at] ?? "")) start = at + 1;
  }
  return start;
}

const quote = (value: string) => (/[\s,]/.test(value) ? `"${value}"` : value);
const isKey = (text: string): text is FilterKey => filterKeys.some((key) => key === text);
function aboutOf(key: FilterKey, value: string): string {
  const standing = key === "standing" ? standings.find((each) => each === value) : undefined;
  if (standing !== undefined) return standingText[standing];
  return key === "is" ? setWords(value) : keyLabels[key];
}
const setWords = (value: string): string => {
  const name = hostSetNames.find((each) => each === value);
  return name === undefined ? "" : hostSets[name].words;
};

/** Suggestions for the word at the cursor. Pure. */
export function completions(filter: string, caret: number, stored: StoredValues): readonly Completion[] {
  const start = wordStart(filter, caret);
  const word = filter.slice(start, caret);
  const [negation = ""] = /^(?:-|not:)?/i.exec(word) ?? [];
  const text = word.slice(negation.length);
  const place = (written: string, words: string, about: string, end: string): Completion => {
    const before = `${filter.slice(0, start)}${negation}${written}${end}`;
    const after = filter.slice(caret).replace(/^\S*/, "").trimStart();
    return { words, about, filter: `${before}${after}`, caret: before.length };
  };
  const colon = text.indexOf(":");
  if (colon < 0)
    return text === "" && filter.trim() !== ""
      ? []
      : matching(text, filterKeys).map((key) => place(`${key}:`, `${key}:`, keyLabels[key], ""));
  const key = text.slice(0, colon).toLowerCase();
  if (!isKey(key)) return [];
  const list = text.slice(colon + 1);
  const comma = list.lastIndexOf(",") + 1;
  const typed = list.slice(comma).replaceAll('"', "");
  const values = valuesOf(key, stored);
  // A complete value needs no suggestions.
  if (values.some((value) => value.toLowerCase() === typed.toLowerCase())) return [];
  const kept = `${key}:${list.slice(0, comma)}`;
  return matching(typed, values).map((value) =>
    place(`${kept}${quote(value)}`, value, aboutOf(key, value), " "),
  );
}

/** The filter with its first misspelled key or value corrected; null if nothing similar is known. Pure. */
export function didYouMean(filter: string, stored: StoredValues): string | null {
  for (const [word] of filter.matchAll(/(?:[^\s"]|"[^"]*"?)+/g)) {
    const [, negation = "", name, list = ""] = /^(-|not:)?([^:]*):?(.*)$/i.exec(word) ?? [];
    if (name === undefined || !word.includes(":")) continue;
    const key = name.toLowerCase();
    const better = isKey(key) ? betterList(key, list, stored) : closest(key, filterKeys);
    if (better === null) continue;
    const meant = isKey(key) ? `${key}:${better}` : `${better}:${list}`;
    return filter.replace(word, `${negation}${meant}`);
  }
  return null;
}

/** Null if each value is valid, is a pattern, or has nothing similar. */
function betterList(key: FilterKey, list: string, stored: StoredValues): string | null {
  const known = valuesOf(key, stored);
  if (known.length === 0) return null;
  let corrected = false;
  const values = list.split(",").map((written) => {
    const value = written.replaceAll('"', "").trim();
    const isKnown = known.some((each) => each.toLowerCase().includes(value.toLowerCase()));
    const near = value === "" || value.includes("*") || isKnown ? null : closest(value, known);
    if (near !== null) corrected = true;
    return near === null ? written : quote(near);
  });
  return corrected ? values.join(",") : null;
}
