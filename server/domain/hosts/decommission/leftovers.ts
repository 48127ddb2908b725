// What a host would leave behind when it leaves the fleet: each thing and its outcome (docs/decommission.md#leftovers).
import { z } from "zod";

export const leftoverKinds = [
  "network",
  "account",
  "accountKey",
  "eventSubscription",
  "virtualMedium",
  "bootEntry",
  "bootOverride",
  "power",
  "ownAccount",
  /** What Reclaim itself stores about the host. */
  "stored",
] as const;
export type LeftoverKind = (typeof leftoverKinds)[number];

/**
 * `kept`: a person asked to keep it, the firmware created it and does not delete it, or other hosts of the BMC use it.
 * `notOffered`: the BMC says that it has no such thing.
 */
export const leftoverOutcomes = ["found", "removed", "refused", "unreadable", "kept", "notOffered"] as const;
export type LeftoverOutcome = (typeof leftoverOutcomes)[number];

export const leftover = z.object({
  kind: z.enum(leftoverKinds),
  /** Its name, such as `account monitor`. */
  what: z.string(),
  outcome: z.enum(leftoverOutcomes),
  /** The BMC's answer if it refused or could not be read; null: none. */
  message: z.string().nullable(),
  /** Who lets the host leave with it, and why. */
  accepted: z.object({ by: z.string(), reason: z.string(), at: z.iso.datetime() }).nullable(),
});
export type Leftover = Readonly<z.infer<typeof leftover>>;

/** Maximum length of a key. */
export const longestKey = 512;

/** Identifies a leftover on one host. People accept leftovers by key. */
export const leftoverKey = ({ kind, what }: Pick<Leftover, "kind" | "what">): string => `${kind}: ${what}`;

const over: ReadonlySet<LeftoverOutcome> = new Set(["removed", "kept", "notOffered"]);

/** Leftovers that keep the host from leaving: still there or unknown, and not accepted. Pure. */
export const standing = <Row extends Pick<Leftover, "accepted" | "outcome">>(
  leftovers: readonly Row[],
): readonly Row[] => leftovers.filter(({ outcome, accepted }) => !over.has(outcome) && accepted === null);

/** Merges a new reading into the list. What is no longer there was removed; what a person accepted stays accepted. Pure. */
export function withReading(
  known: readonly Leftover[],
  read: readonly Leftover[],
  kinds: ReadonlySet<LeftoverKind>,
): readonly Leftover[] {
  const now = byKey(read);
  const before = known.flatMap((row): Leftover[] => {
    const found = now.get(leftoverKey(row));
    if (found !== undefined) return [{ ...found, accepted: row.accepted }];
    // An entry for something unreadable was no leftover itself, so it goes away once it can be read.
    if (kinds.has(row.kind) && row.outcome === "unreadable") return [];
    return kinds.has(row.kind) && !over.has(row.outcome)
      ? [{ ...row, outcome: "removed", message: null, accepted: null }]
      : [row];
  });
  const keys = new Set(known.map(leftoverKey));
  return [...before, ...[...now].flatMap(([key, row]) => (keys.has(key) ? [] : [row]))];
}

/** Of two with the same name, the one that is still there. */
function byKey(read: readonly Leftover[]): ReadonlyMap<string, Leftover> {
  const rows = new Map<string, Leftover>();
  for (const row of read) {
    const key = leftoverKey(row);
    const known = rows.get(key);
    if (known === undefined || over.has(known.outcome)) rows.set(key, row);
  }
  return rows;
}

/** The list after a person accepted some of it. Only what stands now can be accepted. Pure. */
export function accepting(
  leftovers: readonly Leftover[],
  keys: readonly string[],
  accepted: NonNullable<Leftover["accepted"]>,
): readonly Leftover[] {
  const stands = new Set(standing(leftovers).map(leftoverKey));
  return leftovers.map((row) => {
    const key = leftoverKey(row);
    return stands.has(key) && keys.includes(key) ? { ...row, accepted } : row;
  });
}

/** For the message of a host that stopped. */
export const formatLeftovers = (leftovers: readonly Leftover[]): string =>
  standing(leftovers)
    .map(({ what, message }) => (message === null ? what : `${what} (${message})`))
    .join("; ");

const row = (what: string): Leftover => ({
  kind: "stored",
  what,
  outcome: "removed",
  message: null,
  accepted: null,
});

/** Deleted with the host's own rows, in the commit that removes it. */
export const storedLeftovers: readonly Leftover[] = [
  row("BMC user name and password"),
  row("pinned BMC certificate, and the token of the BMC session"),
  row("network ports"),
  row("boot windows and agent tokens"),
  row("labels, traits, owner, maintenance and step overrides"),
];
