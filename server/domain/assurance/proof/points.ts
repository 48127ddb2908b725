// What a return proved, in sentences: one for each gate that concerns the reader, and never better than its record (docs/assurance/proof.md#one-return).
import { gateNames, gateTable } from "@/server/domain/reclamations/gates/gate-names";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";

export const pointTones = ["good", "attention", "failed", "waiting", "neutral"] as const;
export type PointTone = (typeof pointTones)[number];

export interface Point {
  readonly tone: PointTone;
  readonly words: string;
}

interface PointFacts {
  readonly gates: readonly {
    readonly gate: string;
    readonly status: string;
    readonly reason: string | null;
  }[];
  readonly drives: readonly { readonly result: "erased" | "stated" | "missing" | "notErased" }[];
  /** The return is in progress. */
  readonly open: boolean;
  readonly reader: "provider" | "tenant";
}

/** Gates whose sentence a former tenant reads: what concerns its data. */
const tenants: ReadonlySet<GateName> = new Set([
  "storageSanitized",
  "memoryOverwritten",
  "tenantNetworkReleased",
  "infinibandClean",
  "deviceMemoryCleared",
  "platformAtBaseline",
]);

/** "All 3 drives were erased, and reading them back found nothing of before." Claims only what the drives' own records say. */
function storageText(drives: PointFacts["drives"]): string {
  const erased = drives.filter(({ result }) => result === "erased").length;
  const stated = drives.filter(({ result }) => result === "stated").length;
  if (drives.length === 0) return "The machine has no drive.";
  if (erased === drives.length)
    return drives.length === 1
      ? "Its drive was erased, and reading it back found nothing of before."
      : `All ${drives.length} drives were erased, and reading them back found nothing of before.`;
  const rest = stated === 0 ? "" : `; a person stated what became of ${stated}`;
  return `${erased} of ${drives.length} drives were erased and read back${rest}.`;
}

const withReason = (words: string, reason: string | null): string =>
  reason === null || reason === "" ? `${words}.` : `${words}: ${reason.replace(/\.$/, "")}.`;

function pointOf(gate: GateName, facts: PointFacts): Point {
  const found = facts.gates.find((each) => each.gate === gate);
  const { about } = gateTable[gate];
  const reason = facts.reader === "tenant" ? null : (found?.reason ?? null);
  switch (found?.status) {
    case "satisfied": {
      if (gate !== "storageSanitized") return { tone: "good", words: gateTable[gate].holds };
      const whole = facts.drives.every(({ result }) => result === "erased");
      return { tone: whole ? "good" : "attention", words: storageText(facts.drives) };
    }
    case "excepted":
      return {
        tone: "attention",
        words:
          gate === "storageSanitized"
            ? `${storageText(facts.drives).replace(/\.$/, "")}. The rest is let through by an exception.`
            : `${about} rests on an exception.`,
      };
    case "not required":
      return { tone: "neutral", words: withReason(`${about} was not required`, reason) };
    case "waived":
      return { tone: "attention", words: withReason(`${about} was left out by the site's policy`, reason) };
    case "not implemented":
      return { tone: "attention", words: `${about} is not checked at this site.` };
    case "unsatisfied":
      return { tone: "failed", words: withReason(`${about} is not proven`, reason) };
    case undefined:
      return facts.open
        ? { tone: "waiting", words: `${about} is not checked yet.` }
        : { tone: "failed", words: `${about} was never checked.` };
    default:
      return { tone: "attention", words: withReason(`${about} is ${found?.status ?? "unknown"}`, reason) };
  }
}

/** The sentences, drives first, in the order of the gates. Pure. */
export function pointsOf(facts: PointFacts): readonly Point[] {
  const shown = gateNames.filter((gate) => facts.reader === "provider" || tenants.has(gate));
  const ordered = [...shown].sort(
    (a, b) => Number(b === "storageSanitized") - Number(a === "storageSanitized"),
  );
  return ordered.map((gate) => pointOf(gate, facts));
}
