// Causes as text: the sentence at the top of a host's page, what to check next, and the raw answers.
import type { Cause, Causes } from "@/server/domain/cleaning/failures/cause";
import { statusCode } from "@/server/domain/cleaning/failures/statuses/meaning";
import { causeTable } from "@/server/domain/cleaning/failures/table/table";
import { aboutText, deviceAt, happened } from "@/server/domain/cleaning/failures/table/row";
import type { CauseRow } from "@/server/domain/cleaning/failures/table/row";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";

/** The sentence of one cause. Pure. */
export const causeSentence = (cause: Cause): string => causeTable[cause.key].says(cause);

/** One or two words for a table. Pure. */
export const causeLabel = ({ key }: Pick<Cause, "key">): string => causeTable[key].label;

const rowOf = ({ key }: Cause): CauseRow => causeTable[key];

const briefOf = (cause: Cause): string =>
  rowOf(cause).brief?.(cause) ?? happened(causeLabel(cause), aboutText(cause));

/** For lists, which truncate at the end: what happened, from the first cause. Pure. */
export function causeBrief([first, ...others]: Causes): string {
  const alike = others.filter((other) => other.device?.kind === "drive" && kindOf(other) === kindOf(first));
  return alike.length === 0 ? briefOf(first) : `${briefOf(first)}; ${alike.length} more`;
}

const kindOf = ({ key, device, technique, status }: Cause): string =>
  JSON.stringify([key, device?.kind ?? null, technique ?? null, status ?? null]);

const drives = new Intl.ListFormat("en-GB");

/** How many further drives with the same kind of failure are named. */
const maxNamed = 4;

function alikeText(others: readonly Cause[]): string {
  const named = others.slice(0, maxNamed).map(deviceAt);
  const more = others.length - named.length;
  const list = drives.format(more > 0 ? [...named, `${more} more`] : named);
  return `The same on ${others.length === 1 ? "drive" : "drives"} ${list}.`;
}

/** Drives that failed in the same way share one sentence. */
function sentences(causes: Causes): readonly string[] {
  const kinds = new Map<string, [Cause, ...Cause[]]>();
  for (const cause of causes) {
    const key = cause.device?.kind === "drive" ? kindOf(cause) : JSON.stringify(cause);
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, [cause]);
    else known.push(cause);
  }
  return [...kinds.values()].map(([first, ...others]) =>
    others.length === 0 ? causeSentence(first) : `${causeSentence(first)} ${alikeText(others)}`,
  );
}

/** The text of a failure on every surface, with the first cause first. Pure. */
export const causeText = (causes: Causes): string => sentences(causes).join("\n");

/** Reclaim keeps retrying if the host has not failed, or if its BMC does not answer. Every other failure waits for a person (docs/lifecycle.md#failed). */
const goesOn = (state: StoredState): boolean => !isFailed(state) || state === "Failed/BmcUnreachable";

/** For the first cause, which the host stopped for. Pure. */
export const checkNext = ([first]: Causes, state: StoredState): string =>
  causeTable[first.key].check(first, goesOn(state));

/** For one of several causes. Pure. */
export const checkOf = (cause: Cause, state: StoredState): string => checkNext([cause], state);

/** After how many stops a drive with this cause is to be replaced; null: the cause does not call for another drive. Pure. */
export const replaceAfter = (key: Cause["key"]): number | null => {
  const row: CauseRow = causeTable[key];
  return row.replaceAfter ?? null;
};

export interface RawAnswer {
  /** The device or step, and its status code; "": text without either. */
  readonly of: string;
  readonly text: string;
}

/** What the machines answered, verbatim. Answers that are already the sentence itself are left out. Pure. */
export const rawAnswers = (causes: Causes): readonly RawAnswer[] =>
  causes
    .filter(({ key, raw }) => key !== "other" && raw !== "")
    .map(({ device, status, step, raw }) => ({
      of: [device?.serial ?? device?.slot ?? step, status === undefined ? undefined : statusCode(status)]
        .filter((part) => part !== undefined)
        .join(", "),
      text: raw,
    }));
