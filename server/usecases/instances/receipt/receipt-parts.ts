// What a tenant is told about the machine that it released: the progress, and at the end what is on record. Nothing internal to the provider: no host, no
// cause, no person, no reason (docs/adr/0099-receipts.md).
import { formatCounted } from "@/server/domain/numbers";
import type {
  InstanceReceipt,
  ReceiptCheck,
  ReceiptDrive,
  ReceiptResult,
  ReceiptStep,
} from "@/server/contract/instances/instances-answers";
import type { Standing } from "@/server/domain/assurance/standing";
import { gateNames, gateTable } from "@/server/domain/reclamations/gates/gate-names";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";

/** Facts about an instance after its release. */
export interface ReturnFacts {
  readonly releaseRequestedAt: Date | null;
  readonly endedAt: Date | null;
  /** The machine's debt since; null if no debt was recorded. */
  readonly debt: { readonly clearedAt: Date | null } | null;
  /** The host left the fleet. */
  readonly gone: boolean;
  /** Fake hardware, without a machine. */
  readonly fake: boolean;
  /** The reclamation that the release began has ended. */
  readonly reclamationEnded: boolean;
  /** Of the reclamation that settled the debt; null: it has not ended. */
  readonly standing: Standing | null;
  /** Media that the site's policy excludes. */
  readonly leftOut: readonly string[];
}

const resultOf = {
  proven: "proven",
  provenWithExceptions: "provenWithExceptions",
  notSanitized: "notSanitized",
  notProven: "unproven",
  notChecked: "unproven",
} as const satisfies Record<Standing, ReceiptResult>;

/** Pure. */
export function receiptResult({
  endedAt,
  debt,
  gone,
  fake,
  reclamationEnded,
  standing,
}: ReturnFacts): ReceiptResult {
  if (endedAt === null) return "open";
  if (debt === null && fake && (reclamationEnded || gone)) return "nothing";
  // A settled debt lets the host go on, also by exception: what is proven is the standing.
  // safety: receipt: a settled debt is no proof
  if (debt !== null && debt.clearedAt !== null && standing !== null) return resultOf[standing];
  return gone ? "unproven" : "open";
}

export const resultText = {
  open: "The machine is being reclaimed. What was proven of it is shown here once that has ended.",
  proven: "The machine is proven, by the records listed here.",
  provenWithExceptions:
    "Every drive of the machine is accounted for, by the records listed here. Something else was let through, left out or could not be checked: the checks say what.",
  notSanitized:
    "The machine was not sanitized: the provider let it go on although a drive has no verified erase, or left its cleaning out. Ask the provider what happened to your data.",
  unproven:
    "The machine is not proven: it left the provider's fleet, or was kept out of allocation, before every check was done. What is on record of each drive is listed here; ask the provider what happened to the machine.",
  nothing: "There was no machine that could hold your data: this was fake hardware for tests.",
} as const satisfies Record<ReceiptResult, string>;

const isOver = ({ state }: ReceiptDrive): boolean => state === "erased" || state === "stated";

/** "2 of 8 drives erased, 6 being erased". Pure. */
function formatErase(drives: readonly ReceiptDrive[]): string {
  const count = (state: ReceiptDrive["state"]) => drives.filter((drive) => drive.state === state).length;
  const more = (
    [
      [count("erasing"), "being erased"],
      [count("stated"), "accounted for by a statement of the provider"],
      [count("missing"), "not found"],
      [count("untreated"), "without a result"],
    ] as const
  ).flatMap(([number, words]) => (number === 0 ? [] : `${number} ${words}`));
  return [`${count("erased")} of ${formatCounted(drives.length, "drive")} erased`, ...more].join(", ");
}

const newest = (drives: readonly ReceiptDrive[]): Date | null => {
  const times = drives.flatMap(({ at }) => (at === null ? [] : at.getTime()));
  return times.length === 0 ? null : new Date(Math.max(...times));
};

/** The steps of the return, in order: a step is current once the one before has ended. Pure. */
export function receiptSteps(facts: ReturnFacts, drives: readonly ReceiptDrive[]): readonly ReceiptStep[] {
  const result = receiptResult(facts);
  const isProven = result === "proven" || result === "provenWithExceptions";
  const erased = drives.length === 0 ? isProven : drives.every(isOver);
  const lines = [
    ["released", facts.releaseRequestedAt !== null || facts.endedAt !== null, facts.releaseRequestedAt],
    ["offNetwork", facts.endedAt !== null, facts.endedAt],
    ["erased", erased, erased ? newest(drives) : null],
    ["checked", isProven, isProven ? (facts.debt?.clearedAt ?? null) : null],
  ] as const;
  const words = {
    released: "The instance was released",
    offNetwork: "Your network and your access are removed from the machine",
    erased: drives.length === 0 ? "Its drives are erased" : formatErase(drives),
    checked: "It is restarted, and its content and hardware are checked",
  } as const;
  const at = lines.findIndex(([, done]) => !done);
  return lines.map(([step, done, when], index) => ({
    step,
    state: done ? "done" : result !== "open" ? "never" : index === at ? "current" : "ahead",
    words: words[step],
    at: when,
  }));
}

/** Gates that concern a former tenant. What the provider requires for the next one is not included. */
const tenantGates: readonly GateName[] = [
  "tenantNetworkReleased",
  "storageSanitized",
  "memoryOverwritten",
  "infinibandClean",
  "deviceMemoryCleared",
  "platformAtBaseline",
  "attestationPassed",
  "inventoryMatches",
];

const checkStatus = (status: string | undefined): ReceiptCheck["status"] => {
  if (status === "satisfied" || status === "excepted" || status === "waived") return status;
  return status === "not required" ? "notRequired" : "notChecked";
};

/** From the gates of the reclamation that proved the machine, by name. Pure. */
export const receiptChecks = (statuses: ReadonlyMap<string, string>): readonly ReceiptCheck[] =>
  gateNames
    .filter((gate) => tenantGates.includes(gate))
    .map((gate) => ({ gate, meaning: gateTable[gate].meaning, status: checkStatus(statuses.get(gate)) }));

const always: readonly string[] = [
  "It says what the provider's system recorded. This page is not signed. Once the machine is ready for its next use, there is a signed receipt that anybody can verify without the provider: `reclaim certificates`.",
  "Reading a drive back can show that an erase failed. It cannot prove that nothing is left: what happens inside a drive is known only from its manufacturer.",
  "It covers the drives that the machine was known to have when you released it, without the removable and USB media that the site's policy excludes. It says nothing about media that neither its management controller nor its operating system listed.",
];

/** What the receipt does not prove: what applies to every receipt, and what is missing from this one. Pure. */
export function receiptLimits(
  result: ReceiptResult,
  drives: readonly ReceiptDrive[],
  checks: readonly ReceiptCheck[],
  leftOut: readonly string[],
): readonly string[] {
  if (result === "open" || result === "nothing") return [];
  const named = (state: ReceiptDrive["state"]) =>
    drives.filter((drive) => drive.state === state).map(({ serial }) => serial);
  const open = checks.filter(({ status }) => status === "waived" || status === "notChecked");
  const inapplicable = checks.filter(({ status }) => status === "notRequired");
  const noReading = drives.filter(
    ({ state, verification }) => state === "erased" && (verification ?? "") === "",
  );
  return [
    ...always,
    ...(leftOut.length === 0
      ? []
      : [`Excluded by the site's policy, so not erased and not listed above: ${leftOut.join(", ")}.`]),
    ...(named("stated").length === 0
      ? []
      : [`Not erased here, but accounted for by a person of the provider: ${named("stated").join(", ")}.`]),
    ...([...named("untreated"), ...named("missing")].length === 0
      ? []
      : [`No result is on record for: ${[...named("untreated"), ...named("missing")].join(", ")}.`]),
    ...(noReading.length === 0
      ? []
      : [`Not read back: ${noReading.map(({ serial }) => serial).join(", ")}.`]),
    ...(open.length === 0
      ? []
      : [`Not checked, or left out by the provider: ${open.map(({ gate }) => gate).join(", ")}.`]),
    ...(inapplicable.length === 0
      ? []
      : [`Does not apply to this machine: ${inapplicable.map(({ gate }) => gate).join(", ")}.`]),
  ];
}

/** The overall result. Pure. */
export function receiptParts(
  facts: ReturnFacts,
  drives: readonly ReceiptDrive[],
  gates: ReadonlyMap<string, string>,
): Pick<
  InstanceReceipt,
  "result" | "standing" | "says" | "provenAt" | "steps" | "drives" | "checks" | "limits"
> {
  const result = receiptResult(facts);
  const settledAt = facts.debt?.clearedAt ?? null;
  const checks = result === "open" || result === "nothing" || settledAt === null ? [] : receiptChecks(gates);
  const isProven = result === "proven" || result === "provenWithExceptions";
  return {
    result,
    standing: facts.standing,
    says: resultText[result],
    provenAt: isProven ? settledAt : null,
    steps: receiptSteps(facts, drives),
    drives,
    checks,
    limits: receiptLimits(result, drives, checks, facts.leftOut),
  };
}
