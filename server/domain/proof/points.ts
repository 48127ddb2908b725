// What a return proved, in sentences: one for each gate that concerns the reader, and never better than its record (docs/assurance/proof.md#one-return).
import { gateNames } from "@/server/domain/gates/gate-names";
import type { GateName } from "@/server/domain/gates/gate-names";

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

/** `holds`: said only of a satisfied gate. `about`: the same thing without a claim. */
const texts = {
  instanceReleased: { holds: "No instance was left on the machine.", about: "The end of the instance" },
  tenantNetworkReleased: {
    holds: "The tenant's network let go of the machine before the first erase.",
    about: "The tenant's network letting go",
  },
  adminNetworkSynced: {
    holds: "Every network interface acknowledged the provider's network.",
    about: "The provider's network",
  },
  extensionServicesTerminated: {
    holds: "None of the tenant's extension services is left.",
    about: "The end of the tenant's extension services",
  },
  cleanupCompleted: { holds: "Every planned step succeeded.", about: "Running the planned steps" },
  storageSanitized: { holds: "", about: "The erase of the drives" },
  memoryOverwritten: {
    holds: "Overwriting of memory was requested, and a restart followed.",
    about: "Overwriting of memory",
  },
  infinibandClean: { holds: "InfiniBand devices were reset.", about: "The reset of InfiniBand devices" },
  platformAtBaseline: {
    holds:
      "TPM, BIOS, BMC and firmware are at their baseline: keys, accounts and settings of before are gone.",
    about: "The baseline of TPM, BIOS, BMC and firmware",
  },
  attestationPassed: {
    holds: "The machine measured its boot, and the values were approved ones.",
    about: "The measured boot",
  },
  inventoryMatches: {
    holds: "The machine has the parts that its SKU says.",
    about: "The check of the parts",
  },
  validationPassed: { holds: "The site's tests passed.", about: "Running the site's tests" },
  healthy: { holds: "No alert and no maintenance held it back.", about: "The health check" },
  assuranceSigned: {
    holds: "Every required procedure was recorded and signed off.",
    about: "The sign-off of procedures",
  },
} as const satisfies Record<GateName, { readonly holds: string; readonly about: string }>;

/** Gates whose sentence a former tenant reads: what concerns its data. */
const tenants: ReadonlySet<GateName> = new Set([
  "storageSanitized",
  "memoryOverwritten",
  "tenantNetworkReleased",
  "infinibandClean",
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
  const { about } = texts[gate];
  const reason = facts.reader === "tenant" ? null : (found?.reason ?? null);
  switch (found?.status) {
    case "satisfied": {
      if (gate !== "storageSanitized") return { tone: "good", words: texts[gate].holds };
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
