// Causes in words: the sentence of a host's head, what to check next, and the raw answers behind them.
import type { Cause, Causes } from "@/server/domain/causes/cause";
import { statusCode } from "@/server/domain/causes/statuses/meaning";
import { causeTable } from "@/server/domain/causes/table/table";
import { aboutWords, deviceAt, happened } from "@/server/domain/causes/table/row";
import type { CauseRow } from "@/server/domain/causes/table/row";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";

/** The sentence of one cause. Pure. */
export const causeSentence = (cause: Cause): string => causeTable[cause.key].says(cause);

/** One or two words for a table. Pure. */
export const causeLabel = ({ key }: Pick<Cause, "key">): string => causeTable[key].label;

const rowOf = ({ key }: Cause): CauseRow => causeTable[key];

const briefOf = (cause: Cause): string =>
  rowOf(cause).brief?.(cause) ?? happened(causeLabel(cause), aboutWords(cause));

/** For lists, which cut at the end: it begins with what happened, and tells of the first cause. Pure. */
export function causeBrief([first, ...others]: Causes): string {
  const alike = others.filter((other) => other.device?.kind === "drive" && kindOf(other) === kindOf(first));
  return alike.length === 0 ? briefOf(first) : `${briefOf(first)}; ${alike.length} more`;
}

const kindOf = ({ key, device, technique, status }: Cause): string =>
  JSON.stringify([key, device?.kind ?? null, technique ?? null, status ?? null]);

const drives = new Intl.ListFormat("en-GB");

/** What every drive but the first of the same kind of failure is told by. */
const mostNamed = 4;

function alikeWords(others: readonly Cause[]): string {
  const named = others.slice(0, mostNamed).map(deviceAt);
  const more = others.length - named.length;
  const list = drives.format(more > 0 ? [...named, `${more} more`] : named);
  return `The same on ${others.length === 1 ? "drive" : "drives"} ${list}.`;
}

/** Drives that failed in the same way are told of once. */
function sentences(causes: Causes): readonly string[] {
  const kinds = new Map<string, [Cause, ...Cause[]]>();
  for (const cause of causes) {
    const key = cause.device?.kind === "drive" ? kindOf(cause) : JSON.stringify(cause);
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, [cause]);
    else known.push(cause);
  }
  return [...kinds.values()].map(([first, ...others]) =>
    others.length === 0 ? causeSentence(first) : `${causeSentence(first)} ${alikeWords(others)}`,
  );
}

/** The one text of a failure, as every surface shows it: the first cause first. Pure. */
export const causeText = (causes: Causes): string => sentences(causes).join("\n");

/** A host that has not failed retries, and so does one whose BMC does not answer; every other failure waits for a person (docs/lifecycle.md#failed). */
const goesOn = (state: StoredState): boolean => !isFailed(state) || state === "Failed/BmcUnreachable";

/** Of the first cause: it is what the host stopped for. Pure. */
export const checkNext = ([first]: Causes, state: StoredState): string =>
  causeTable[first.key].check(first, goesOn(state));

export interface RawAnswer {
  /** Which device, and its status as a code; "": text without a device. */
  readonly of: string;
  readonly text: string;
}

/** What the machines answered, verbatim; what the sentence says already is left out. Pure. */
export const rawAnswers = (causes: Causes): readonly RawAnswer[] =>
  causes
    .filter(({ key, raw }) => key !== "other" && raw !== "")
    .map(({ device, status, step, raw }) => ({
      of: [device?.serial ?? device?.slot ?? step, status === undefined ? undefined : statusCode(status)]
        .filter((part) => part !== undefined)
        .join(", "),
      text: raw,
    }));
