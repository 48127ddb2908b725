// Histories of hosts as a correct controller writes them, for tests that then break one thing.
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import type { ReclamationFacts } from "@/server/domain/audit-log/self-audit/proven";
import type { TransitionRow } from "@/server/domain/audit-log/self-audit/replay";

export const hostId = "00000000-0000-4000-8000-000000000001";

export const trips = ["release", "releaseUnread", "recheck", "failedAndRetried", "anew", "repair"] as const;
export type Trip = (typeof trips)[number];

const cleaning = [
  "WaitingForCleanup/Queued",
  "WaitingForCleanup/HostCleanup",
  "BomValidating/UpdatingInventory",
];
const tenant = ["Assigned/WaitingForNetworkConfig", "Assigned/WaitingForRebootToReady", "Assigned/Ready"];
const evaluating = "ReturnToAllocation/EvaluatingGates";
const giving = ["Assigned/BootingWithDiscoveryImage", "Assigned/WaitingForNetworkReconfig"];

/** Each list is one commit. `begins` starts a new reclamation of that kind with it. */
type Commits = readonly (readonly [states: readonly string[], begins?: string])[];

const ofTrip: Readonly<Record<Trip, Commits>> = {
  release: [
    [tenant.slice(0, 2)],
    [["Assigned/Ready"]],
    [giving, "release"],
    [cleaning],
    [[evaluating, "Ready"]],
  ],
  // Released before a controller read the claim: one commit contains both.
  releaseUnread: [
    [["Assigned/WaitingForNetworkConfig", ...giving], "release"],
    [cleaning],
    [[evaluating, "Ready"]],
  ],
  recheck: [[["BomValidating/BootingAgent"], "recheck"], [[evaluating, "Ready"]]],
  failedAndRetried: [
    [tenant],
    [["Assigned/BootingWithDiscoveryImage"], "release"],
    [["Failed/NetworkReconfigTimeout"]],
    [giving],
    [cleaning],
    [["Failed/NVMECleanFailed"]],
    [cleaning],
    [[evaluating, "Ready"]],
  ],
  anew: [
    [tenant],
    [giving, "release"],
    [["Failed/CleanFailed"]],
    [["Manageable"]],
    [cleaning, "onboarding"],
    [[evaluating, "Ready"]],
  ],
  repair: [
    [tenant],
    [giving, "release"],
    [cleaning],
    [[evaluating, "ReturnToAllocation/AwaitingRepair"]],
    [tenant],
    [giving, "repairRelease"],
    [cleaning],
    [[evaluating, "Ready"]],
  ],
};

export const provenFacts = (over: Partial<ReclamationFacts>): ReclamationFacts => ({
  id: "r",
  hostId,
  kind: "release",
  endedAtMs: 0,
  outcome: "ready",
  gates: gateNames.map((gate) => [gate, "satisfied"]),
  certificate: "certificate",
  certificateDue: true,
  loggedDemo: false,
  demo: false,
  fake: false,
  ...over,
});

/** A history from enrolment through all given parts, with the host as each row's statement would read it. */
export function lifeOf(chosen: readonly Trip[]): TransitionRow[] {
  const rows: TransitionRow[] = [];
  let generation = 0;
  let reclamationId: string | null = null;
  const begun: Commits = [
    [["Enroll"]],
    [["Verifying"]],
    [["Manageable"]],
    [["WaitingForCleanup/Queued"], "onboarding"],
    [cleaning.slice(1)],
    [[evaluating, "Ready"]],
  ];
  let kind = "";
  for (const [states, begins] of [...begun, ...chosen.flatMap((trip) => ofTrip[trip])]) {
    generation += 1;
    if (begins !== undefined) {
      reclamationId = `r${generation}`;
      kind = begins;
    }
    for (const state of states) {
      const repaired =
        state === "Assigned/WaitingForNetworkConfig" && rows.at(-1)?.state.endsWith("AwaitingRepair");
      const proves = state === "Ready" || repaired === true;
      rows.push({
        hostId,
        version: rows.length + 1,
        state,
        atMs: generation * 1_000,
        generation,
        reclamationId,
        reclamation: proves
          ? provenFacts({
              id: reclamationId ?? "",
              kind,
              endedAtMs: generation * 1_000,
              outcome: repaired === true ? "handedToRepair" : "ready",
              gates: gateNames.map((gate) => [
                gate,
                repaired === true && gate === "healthy" ? "unsatisfied" : "satisfied",
              ]),
            })
          : null,
        now: null,
      });
    }
  }
  return seenNow(rows);
}

/** Sets the host to where its last row is. */
export function seenNow(rows: readonly TransitionRow[]): TransitionRow[] {
  const last = rows.at(-1);
  return rows.map((row) => ({
    ...row,
    now: last === undefined ? null : { state: last.state, version: last.version },
  }));
}
