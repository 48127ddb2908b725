// Parses the filter of the hosts page into terms, with the positions of what it does not understand (docs/design/console.md#host-filter).
import { standings } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { healthLevels } from "@/server/domain/repair/health/fold";
import { hostSetNames } from "@/server/domain/hosts/host-groups";
import type { HostSetName } from "@/server/domain/hosts/host-groups";
import { tones } from "@/server/domain/lifecycle/state-rows/state-row";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { allStates, isFailed } from "@/server/domain/lifecycle/states";
import type { StoredState, UnknownState } from "@/server/domain/lifecycle/states";

export type HostTerm = { readonly negated: boolean } & (
  | { readonly kind: "states"; readonly states: readonly StoredState[] }
  | { readonly kind: "sets"; readonly sets: readonly HostSetName[] }
  /** `*` stands for any characters. */
  | {
      readonly kind:
        | "site"
        | "rack"
        | "segment"
        | "domain"
        | "sku"
        | "tenant"
        | "image"
        | "firmware"
        | "model"
        | "label"
        | "alert";
      readonly patterns: readonly string[];
    }
  /** Hosts in failure groups with the same message, by the start of the group's digest. */
  | { readonly kind: "failures"; readonly digests: readonly string[] }
  | { readonly kind: "health"; readonly levels: readonly FilteredHealth[] }
  | { readonly kind: "standing"; readonly standings: readonly Standing[] }
  | { readonly kind: "owner"; readonly owners: readonly FilteredOwner[] }
  | { readonly kind: "overLimit" }
  /** The agent that runs its step has missed a call. */
  | { readonly kind: "silent" }
  /** Its open reclamation is over its total limit. */
  | { readonly kind: "overdue" }
  | { readonly kind: "maintenance" }
  | { readonly kind: "allocatable" }
  | { readonly kind: "text"; readonly text: string }
);

export type ParsedFilter =
  | { readonly ok: true; readonly terms: readonly HostTerm[] }
  | { readonly ok: false; readonly message: string; readonly position: number };

export const filterKeys = [
  "state",
  "cause",
  "failure",
  "tone",
  "standing",
  "is",
  "sla",
  "site",
  "rack",
  "segment",
  "domain",
  "sku",
  "tenant",
  "image",
  "firmware",
  "model",
  "label",
  "health",
  "alert",
  "owner",
  "maintenance",
  "allocatable",
  "overdue",
  "silent",
] as const;
export type FilterKey = (typeof filterKeys)[number];

/** `none`: no reports. */
export const filteredHealth = ["none", ...healthLevels] as const;
type FilteredHealth = (typeof filteredHealth)[number];

/** Who has the host (docs/repair.md#who-has-the-host). `overdue`: a repair system, for longer than it announced. */
export const filteredOwners = ["reclaim", "tenant", "repair-system", "overdue"] as const;
export type FilteredOwner = (typeof filteredOwners)[number];

/** Maximum length of a filter. */
export const filterLimit = 500;

/** A filter of an address, as it is sent: one that is too long is refused with its limit, whatever comes after it. Pure. */
export const sentFilter = (filter: string): string => filter.slice(0, 2 * filterLimit);

/** A term with one value. A comma or quote, which a filter reads as its own, stands as any characters. Pure. */
export const filterOf = (key: FilterKey, value: string): string => `${key}:"${value.replace(/[",]/g, "*")}"`;

/** Hosts with this version of a component. Pure. */
export const firmwareFilter = (component: string, version: string): string =>
  filterOf("firmware", `${component} ${version}`);

class Misunderstood extends Error {
  constructor(
    override readonly message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

interface Word {
  readonly text: string;
  readonly position: number;
}

/** Splits at unquoted spaces and removes the quotes. */
function words(filter: string): Word[] {
  const found: Word[] = [];
  let text: string | null = null;
  let start = 0;
  let quote = -1;
  for (let at = 0; at <= filter.length; at += 1) {
    const letter = filter[at];
    if (letter === undefined || (quote < 0 && /\s/.test(letter))) {
      if (text !== null) found.push({ text, position: start });
      text = null;
      continue;
    }
    if (text === null) {
      text = "";
      start = at;
    }
    if (letter === '"') quote = quote < 0 ? at : -1;
    else text += letter;
  }
  if (quote >= 0) throw new Misunderstood("This quote is not closed.", quote);
  return found;
}

/** A pattern with `*`, ignoring case. */
function matcher(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replace(/[.+?^${}()|[\]\\/]/g, "\\$&"))
      .join(".*")}$`,
    "i",
  );
}

/** `WaitingForCleanup` includes all states below it; `Failed/*` and `*NVMe*` are patterns. */
function statesLike(value: string, all: readonly StoredState[]): StoredState[] {
  const exact = matcher(value);
  const below = matcher(`${value}/*`);
  return all.filter((state) => exact.test(state) || below.test(state));
}

function causesLike(value: string, all: readonly StoredState[]): StoredState[] {
  const wanted = matcher(`*${value}*`);
  return all.filter((state) => isFailed(state) && wanted.test(state.slice("Failed/".length)));
}

const someStates = (
  values: readonly string[],
  find: (value: string) => readonly StoredState[],
  word: Word,
  what: string,
  negated: boolean,
): HostTerm => {
  const states = values.map((value) => {
    const found = find(value);
    if (found.length === 0) throw new Misunderstood(`There is no ${what} ${value}.`, word.position);
    return found;
  });
  return { kind: "states", states: [...new Set(states.flat())], negated };
};

function oneOf<T extends string>(value: string, known: readonly T[], word: Word, key: string): T {
  const found = known.find((each) => each.toLowerCase() === value.toLowerCase());
  if (found === undefined)
    throw new Misunderstood(`${key}: takes ${known.join(", ")}; not ${value}.`, word.position);
  return found;
}

const eachOf = <T extends string>(
  values: readonly string[],
  known: readonly T[],
  word: Word,
  key: string,
): readonly T[] => values.map((value) => oneOf(value, known, word, key));

/** A boolean key becomes a term or its negation. */
function flag(
  kind: "maintenance" | "allocatable" | "overdue" | "overLimit" | "silent",
  values: readonly string[],
  yes: string,
  no: string,
  word: Word,
  key: string,
  negated: boolean,
): HostTerm {
  const [value] = values;
  if (value === undefined || values.length > 1)
    throw new Misunderstood(`${key}: takes one of ${yes}, ${no}.`, word.position);
  return { kind, negated: (oneOf(value, [yes, no], word, key) === no) !== negated };
}

function keyed(
  key: FilterKey,
  values: readonly string[],
  word: Word,
  negated: boolean,
  all: readonly StoredState[],
): HostTerm {
  switch (key) {
    case "state":
      return someStates(values, (value) => statesLike(value, all), word, "state", negated);
    case "cause":
      return someStates(values, (value) => causesLike(value, all), word, "failure cause", negated);
    case "failure": {
      const digests = values.map((value) => value.toLowerCase());
      const wrong = digests.find((value) => !/^[0-9a-f]{8,64}$/.test(value));
      if (wrong !== undefined)
        throw new Misunderstood(
          `failure: takes the name of a group, 8 hexadecimal digits or more; not ${wrong}.`,
          word.position,
        );
      return { kind: "failures", digests, negated };
    }
    case "tone": {
      const wanted = values.map((value) => oneOf(value, tones, word, key));
      return {
        kind: "states",
        states: all.filter((state) => wanted.includes(describeState(state).tone)),
        negated,
      };
    }
    case "is":
      return { kind: "sets", sets: values.map((value) => oneOf(value, hostSetNames, word, key)), negated };
    case "sla":
      return flag("overLimit", values, "over", "within", word, key, negated);
    case "maintenance":
    case "allocatable":
    case "overdue":
    case "silent":
      return flag(key, values, "true", "false", word, key, negated);
    case "health":
      return { kind: "health", levels: eachOf(values, filteredHealth, word, key), negated };
    case "standing":
      return { kind: "standing", standings: eachOf(values, standings, word, key), negated };
    case "owner":
      return { kind: "owner", owners: eachOf(values, filteredOwners, word, key), negated };
    case "alert":
    case "site":
    case "rack":
    case "segment":
    case "domain":
    case "sku":
    case "tenant":
    case "image":
    case "firmware":
    case "model":
    case "label":
      return { kind: key, patterns: values, negated };
  }
}

const isKey = (text: string): text is FilterKey => filterKeys.some((key) => key === text);

function term(
  word: Word,
  next: Word | undefined,
  all: readonly StoredState[],
): { readonly term: HostTerm; readonly tookNext: boolean } {
  const negated = /^(-|not:)./i.test(word.text);
  const text = negated ? word.text.replace(/^(-|not:)/i, "") : word.text;
  const colon = text.indexOf(":");
  if (colon <= 0) return { term: { kind: "text", text, negated }, tookNext: false };
  const key = text.slice(0, colon).toLowerCase();
  if (!isKey(key))
    throw new Misunderstood(
      `There is no filter ${key}:. There are ${filterKeys.map((known) => `${known}:`).join(" ")}`,
      word.position,
    );
  // People also write `state: Failed`, with a space.
  const tookNext = colon === text.length - 1 && next !== undefined && !next.text.includes(":");
  const values = (tookNext ? next.text : text.slice(colon + 1))
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  if (values.length === 0) throw new Misunderstood(`${key}: needs a value.`, word.position);
  return { term: keyed(key, values, word, negated, all), tookNext };
}

/** Terms are combined with *and*, the values of one term with *or*. Pure. @param others states of another release that a filter may name (ADR 24) */
export function parseHostFilter(filter: string, others: readonly UnknownState[] = []): ParsedFilter {
  if (filter.length > filterLimit)
    return { ok: false, message: `A filter has at most ${filterLimit} characters.`, position: filterLimit };
  try {
    const terms: HostTerm[] = [];
    const found = words(filter);
    const all = [...allStates(), ...others];
    for (let index = 0; index < found.length; index += 1) {
      const word = found[index];
      if (word === undefined || word.text === "") continue;
      const parsed = term(word, found[index + 1], all);
      terms.push(parsed.term);
      if (parsed.tookNext) index += 1;
    }
    return { ok: true, terms };
  } catch (error) {
    if (error instanceof Misunderstood)
      return { ok: false, message: error.message, position: error.position };
    throw error;
  }
}
