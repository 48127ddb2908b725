// Whether a reclamation proves what a host that became Ready, or was handed over for repair, must be (docs/design/lifecycle.md#gates).
import { gateStatuses, passes } from "@/server/domain/gates/gate-names";

/** As many gates as the first release evaluated: one that a later release brings was not asked of earlier reclamations. */
const fewestGates = 14;

/** What is read of the reclamation that a transition names. */
export interface ReclamationFacts {
  readonly id: string;
  readonly hostId: string;
  readonly kind: string;
  readonly endedAtMs: number | null;
  readonly outcome: string | null;
  /** Name and status of each. */
  readonly gates: readonly (readonly [gate: string, status: string])[];
  /** The type of its certificate; null: it has none. */
  readonly certificate: string | null;
  /** Ended long enough ago, under a release that writes certificates. */
  readonly certificateDue: boolean;
  readonly demo: boolean;
  readonly fake: boolean;
}

/** Where a reclamation must have led, and which gates it need not have passed. */
interface Wanted {
  readonly outcome: "ready" | "handedToRepair";
  readonly without: ReadonlySet<string>;
}

export const becameReady: Wanted = { outcome: "ready", without: new Set() };
/** The repair is to mend what keeps it out of allocation. */
export const handedOver: Wanted = { outcome: "handedToRepair", without: new Set(["healthy"]) };

function unprovenGates({ gates, demo, fake, certificate }: ReclamationFacts, without: ReadonlySet<string>) {
  // The site was a demo when it ended, whatever it is now.
  const site = { demo: demo || certificate === "demo", fake };
  return gates.filter(([gate, status]) => {
    const known = gateStatuses.find((each) => each === status);
    // safety: self-audit: a gate that did not pass is told of (false)
    return !without.has(gate) && (known === undefined || !passes(known, site));
  });
}

/**
 * Why it does not prove the host; null: it does.
 * @param atMs when the host was made Ready or handed over: the reclamation ends in that transaction
 */
export function whyUnproven(
  found: ReclamationFacts | null,
  hostId: string,
  atMs: number,
  { outcome, without }: Wanted,
): string | null {
  if (found === null) return "its reclamation does not exist";
  if (found.hostId !== hostId) return "its reclamation is one of another host";
  if (found.kind === "manualCleaning") return "it follows a manual cleaning, which proves nothing";
  if (found.endedAtMs === null) return "its reclamation has not ended";
  if (found.endedAtMs !== atMs) return "its reclamation ended at another time";
  // safety: self-audit: a reclamation that ended otherwise proves nothing
  if (found.outcome !== outcome)
    return `its reclamation ended as ${found.outcome ?? "nothing"}, and not as ${outcome}`;
  // safety: self-audit: all gates were evaluated
  if (found.gates.length < fewestGates)
    return `only ${found.gates.length} of ${fewestGates} gates were evaluated`;
  const open = unprovenGates(found, without);
  return open.length === 0
    ? null
    : `gates did not pass: ${open.map(([gate, status]) => `${gate} is ${status}`).join(", ")}`;
}
