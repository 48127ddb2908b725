// Whether a reclamation proves what is required of a host that became Ready or was handed over for repair (docs/design/lifecycle.md#gates).
import { gateNames, gateStatuses, laterGates, passes } from "@/server/domain/reclamations/gates/gate-names";

const alwaysRequired = gateNames.filter((gate) => !laterGates.has(gate));

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
  /** Ended long enough ago, under a release that issues certificates. */
  readonly certificateDue: boolean;
  /** According to the audit log, its certificate is a demo certificate. */
  readonly loggedDemo: boolean;
  /** The site is a demo site now. */
  readonly demo: boolean;
  /** The host's record says that it is fake. */
  readonly fake: boolean;
}

/** The host's record says that it is fake, and its gates said so too when its reclamation ended. */
export function wasFake({ fake, gates }: ReclamationFacts): boolean {
  return fake && gates.some(([, status]) => status === "not required: fake hardware");
}

/** The outcome that a reclamation must have, and the gates that it need not have passed. */
interface Goal {
  readonly outcome: "ready" | "handedToRepair";
  readonly without: ReadonlySet<string>;
}

export const becameReady: Goal = { outcome: "ready", without: new Set() };
/** Without `healthy`, because the repair is for whatever keeps the host out of allocation. */
export const handedOver: Goal = { outcome: "handedToRepair", without: new Set(["healthy"]) };

function unprovenGates(found: ReclamationFacts, without: ReadonlySet<string>) {
  // The log's record of the end counts rather than what the site is now. The site counts only until the log has one.
  const demo = found.loggedDemo || (found.demo && !found.certificateDue);
  const site = { demo, fake: wasFake(found) };
  return found.gates.filter(([gate, status]) => {
    const known = gateStatuses.find((each) => each === status);
    // safety: self-audit: a gate that did not pass is told of (false)
    return !without.has(gate) && (known === undefined || !passes(known, site));
  });
}

/**
 * Why the reclamation does not prove the host; null: it does.
 * @param atMs when the host became Ready or was handed over: the reclamation ends in that transaction
 */
export function whyUnproven(
  found: ReclamationFacts | null,
  hostId: string,
  atMs: number,
  { outcome, without }: Goal,
): string | null {
  if (found === null) return "its reclamation does not exist";
  if (found.hostId !== hostId) return "its reclamation is one of another host";
  if (found.kind === "manualCleaning") return "it follows a manual cleaning, which proves nothing";
  if (found.endedAtMs === null) return "its reclamation has not ended";
  if (found.endedAtMs !== atMs) return "its reclamation ended at another time";
  // safety: self-audit: a reclamation that ended otherwise proves nothing
  if (found.outcome !== outcome)
    return `its reclamation ended as ${found.outcome ?? "nothing"}, and not as ${outcome}`;
  const asked = new Set(found.gates.map(([gate]) => gate));
  const missing = alwaysRequired.filter((gate) => !asked.has(gate));
  // safety: self-audit: all gates were evaluated
  if (missing.length > 0) return `gates were not evaluated: ${missing.join(", ")}`;
  const open = unprovenGates(found, without);
  return open.length === 0
    ? null
    : `gates did not pass: ${open.map(([gate, status]) => `${gate} is ${status}`).join(", ")}`;
}
