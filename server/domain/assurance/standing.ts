// What is proven of a machine by one reclamation, as one word (docs/design/lifecycle.md#standing). Every surface says this word and none computes its own.
import { gateNames, gateStatuses, laterGates } from "@/server/domain/reclamations/gates/gate-names";
import type { GateStatus } from "@/server/domain/reclamations/gates/gate-names";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";

/** From the best to the worst. */
export const standings = [
  "proven",
  "provenWithExceptions",
  "notSanitized",
  "notProven",
  "notChecked",
] as const;
export type Standing = (typeof standings)[number];

export const standingText = {
  proven: "Proven",
  provenWithExceptions: "Proven with exceptions",
  notSanitized: "Not sanitized",
  notProven: "Not proven",
  notChecked: "Not checked",
} as const satisfies Record<Standing, string>;

/** What each of them means, in a sentence. */
export const standingMeaning = {
  proven: "Every gate that applies is satisfied, and every expected drive is erased and verified.",
  provenWithExceptions:
    "Every expected drive is accounted for, and something else was let through, left out or cannot be checked: the gates say what.",
  notSanitized: "The host became Ready although a drive has no verified erase, or its cleaning was left out.",
  notProven: "The host did not become Ready in this reclamation.",
  notChecked: "Nothing was checked: nobody has proven this host, or there is no machine.",
} as const satisfies Record<Standing, string>;

/** Said before a cleaning or a step that erases is switched off, and for as long as it is. */
export const leftOutMeaning =
  "A host that becomes Ready without its erase is not sanitized, and is shown as such everywhere";

/** What a Ready host of this standing waits for and what to check, in the form of a row of the table of states. */
export const readyWords = {
  proven: { waitsFor: "Nothing: every gate that applies is satisfied", checkNext: "Nothing" },
  provenWithExceptions: {
    waitsFor: "Nothing: it is proven with exceptions",
    checkNext: "See on the Gates tab which gates were excepted, waived or not checked",
  },
  notSanitized: {
    waitsFor: "Nothing: it is Ready, and not sanitized",
    checkNext: "See on the Gates tab why its drives have no verified erase",
  },
  notProven: {
    waitsFor: "Nothing: it is Ready, and what it rests on is not on record",
    checkNext: "See the gates of its last reclamation on the Gates tab",
  },
  notChecked: {
    waitsFor: "Nothing: nothing was checked",
    checkNext: "Decide whether it needs a proof: it is fake hardware, or was never reclaimed",
  },
} as const satisfies Record<Standing, { readonly waitsFor: string; readonly checkNext: string }>;

export const standingTone = {
  proven: "good",
  provenWithExceptions: "attention",
  notSanitized: "failed",
  notProven: "failed",
  notChecked: "neutral",
} as const satisfies Record<Standing, Tone>;

/** A drive that the reclamation expected: `stated` by a disposition, which says where a drive went that nobody could erase. */
export type DriveResult = "sanitized" | "stated" | "not sanitized";

export interface StandingFacts {
  readonly kind: string;
  /** The host is of type `fake`, without a machine. */
  readonly fake: boolean;
  /** Null: it is open. */
  readonly outcome: string | null;
  readonly gates: readonly { readonly gate: string; readonly status: string }[];
  /** One for each expected drive. */
  readonly drives: readonly DriveResult[];
  /** Expected drives that were not found, and that nobody has answered for. */
  readonly missing: number;
  /** False only if the host's SKU says that it has no drives. */
  readonly skuHasDrives: boolean;
  /** A recheck without a plan cleans nothing: the standing of the reclamation that it rests on, null if that is not on record. Left out: it cleaned by itself. */
  readonly restsOn?: Standing | null | undefined;
}

/** The worse of two. */
export const worseOf = (one: Standing, other: Standing): Standing =>
  standings.indexOf(one) > standings.indexOf(other) ? one : other;

/** A drive without a verified erase, no drive although the SKU has some, or a cleaning that was left out. */
function isUnsanitized(
  { drives, missing, skuHasDrives }: StandingFacts,
  statuses: ReadonlyMap<string, GateStatus>,
): boolean {
  return (
    drives.includes("not sanitized") ||
    missing > 0 ||
    (skuHasDrives && !drives.includes("sanitized")) ||
    statuses.get("storageSanitized") !== "satisfied" ||
    statuses.get("cleanupCompleted") === "waived"
  );
}

/** Why it is at best proven with exceptions. */
const departures: ReadonlySet<GateStatus> = new Set(["excepted", "waived", "not implemented"]);

/** Its release did not have this gate yet. */
const isEarlier = ({ gates }: StandingFacts, gate: string): boolean =>
  laterGates.has(gate) && !gates.some((each) => each.gate === gate);

/** By what this reclamation did itself. */
function ownStanding(facts: StandingFacts): Standing {
  // safety: standing: only Ready is proven
  if (facts.outcome !== "ready" || facts.kind === "manualCleaning") return "notProven";
  const statuses = new Map(
    facts.gates.flatMap(({ gate, status }) => {
      const known = gateStatuses.find((each) => each === status);
      return known === undefined ? [] : [[gate, known] as const];
    }),
  );
  const holds = (status: GateStatus | undefined): boolean =>
    status === "satisfied" || status === "not required" || (status !== undefined && departures.has(status));
  // safety: standing: every gate is on record and passed
  if (!gateNames.every((gate) => holds(statuses.get(gate)) || isEarlier(facts, gate))) return "notProven";
  if (isUnsanitized(facts, statuses)) return "notSanitized";
  const departs =
    facts.drives.includes("stated") || [...statuses.values()].some((status) => departures.has(status));
  return departs ? "provenWithExceptions" : "proven";
}

/** Pure. Fails closed: what is not on record counts as not done. */
export function standingOf(facts: StandingFacts): Standing {
  // safety: standing: nothing is proven of fake hardware
  if (facts.fake) return "notChecked";
  const own = ownStanding(facts);
  return facts.restsOn === undefined ? own : worseOf(own, facts.restsOn ?? "notSanitized");
}

/** As stored when a reclamation ended. Null in the record of an open one, and of none that ended. */
export const storedStanding = (stored: string | null): Standing | null =>
  standings.find((each) => each === stored) ?? null;

/**
 * The standing of a host: that of the reclamation that made it what it is, which is its newest.
 * @param newest null: it never had one
 */
export function hostStanding(fake: boolean, newest: { readonly standing: string | null } | null): Standing {
  if (fake || newest === null) return "notChecked";
  return storedStanding(newest.standing) ?? "notProven";
}
