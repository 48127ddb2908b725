// The effect of requiring, or no longer requiring, one of the gates that a site may do without (docs/adr/0010-demo-sites.md).
import type { Requirements } from "@/server/domain/cleaning/policy/policy";
import type { SettingEffect } from "@/server/domain/cleaning/policy/effect";

export type RequiredGate = keyof Requirements;
export const requiredGates = [
  "platformAtBaseline",
  "deviceMemoryCleared",
  "attestationPassed",
  "healthy",
  "assuranceSigned",
] as const satisfies readonly RequiredGate[];

/** Reclamations or hosts held by the same gates. */
export interface HeldBy {
  /** Gates that hold them only because the site requires them. */
  readonly gates: readonly RequiredGate[];
  /** Something else holds them too: another gate, or maintenance. */
  readonly others: boolean;
  readonly count: number;
}

export interface RecordedGates {
  /** At a demo site such a gate holds nothing. */
  readonly demo: boolean;
  /** Reclamations of real hosts that became Ready. */
  readonly becameReady: number;
  /** Reclamations that stopped in Failed/GateUnsatisfied. */
  readonly held: readonly HeldBy[];
  readonly hosts: {
    readonly ready: number;
    readonly withTenant: number;
    readonly inProgress: number;
    /** Currently in Failed/GateUnsatisfied or waiting for health. */
    readonly held: readonly HeldBy[];
  };
}

const settingOf = (gate: RequiredGate): string => `Gate ${gate}`;

const sum = (rows: readonly HeldBy[]): number => rows.reduce((total, { count }) => total + count, 0);

function beginsToHold(gate: RequiredGate, { demo, hosts, becameReady }: RecordedGates): SettingEffect {
  const setting = settingOf(gate);
  if (gate === "healthy")
    return {
      setting,
      kind: "same",
      reclamations: 0,
      words:
        "an alert that prevents allocation always holds a host, whatever the policy says; if required, the gate also states who reports",
    };
  if (gate === "assuranceSigned")
    return {
      setting,
      kind: "unknown",
      reclamations: null,
      words:
        "a host waits for the record and sign-off of each procedure that applies to it; a policy without procedures holds no host",
    };
  if (gate === "platformAtBaseline")
    return {
      setting,
      kind: "unknown",
      reclamations: null,
      words:
        "a host stops if its SKU has no platform baseline, or if its BMC, read after cleaning, shows anything else than the baseline says; earlier reclamations did not read it",
    };
  if (gate === "deviceMemoryCleared")
    return {
      setting,
      kind: "unknown",
      reclamations: null,
      words:
        "a host with GPUs stops if their memory cannot be cleared by the agent's image; it depends on the image and on the GPUs",
    };
  if (demo)
    return {
      setting,
      kind: "same",
      reclamations: 0,
      words: "it holds no host at a demo site, unless Attestation is required there",
    };
  const { ready, withTenant, inProgress } = hosts;
  return {
    setting,
    // Even if nothing at the site became Ready yet, because the first host would be held.
    kind: "otherwise",
    reclamations: becameReady,
    words: `${becameReady} became Ready and would have been held, as far as their boots were not measured: Attestation has to be required, too. Hosts in Ready (${ready}) and with a tenant (${withTenant}) are held at their next reclamation, and so is every new host; those in progress (${inProgress}) keep the policy they started with`,
  };
}

/** `released`: all gates that the site would no longer require; a host held by two of them needs both released. `still`: another gate starts to hold. */
function ceasesToHold(
  gate: RequiredGate,
  released: ReadonlySet<RequiredGate>,
  still: boolean,
  { demo, held, hosts }: RecordedGates,
): SettingEffect {
  const setting = settingOf(gate);
  const heldByIt = (rows: readonly HeldBy[]) => rows.filter(({ gates }) => gates.includes(gate));
  const freed = (rows: readonly HeldBy[]) =>
    still
      ? []
      : heldByIt(rows).filter(({ gates, others }) => !others && gates.every((one) => released.has(one)));
  const stopped = sum(heldByIt(held));
  const passing = sum(freed(held));
  const now = sum(heldByIt(hosts.held));
  if (stopped + now === 0)
    return {
      setting,
      kind: "same",
      reclamations: 0,
      words: demo ? "it holds no host at a demo site" : "no recorded reclamation and no host stopped at it",
    };
  return {
    setting,
    kind: "otherwise",
    reclamations: passing,
    words: `${passing} of ${stopped} reclamations that stopped at it were held by no other required gate, and would have become Ready. Hosts that it holds now: ${now}, ${sum(freed(hosts.held))} of them by no other gate; use Manage, then Provide, to start a reclamation under the new policy`,
  };
}

/** One row per gate that differs. Pure. */
export function gateEffects(
  before: Requirements,
  after: Requirements,
  recorded: RecordedGates,
): readonly SettingEffect[] {
  const released = new Set<RequiredGate>(requiredGates.filter((gate) => !after[gate]));
  const added = requiredGates.filter((gate) => after[gate] && !before[gate]);
  return requiredGates.flatMap((gate) =>
    before[gate] === after[gate]
      ? []
      : after[gate]
        ? [beginsToHold(gate, recorded)]
        : [ceasesToHold(gate, released, added.length > 0 && !recorded.demo, recorded)],
  );
}
