// Calls that restart a host's BMC at a person's request. Not effects: the request notes itself before it is sent (server/controller/power/bmc-resetter.ts).
import { bmcFacts, bmcTarget } from "@/server/controller/effects/effect-runner";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import type { BmcTarget, CallOptions, HardwareResult, HardwareType } from "@/server/hardware/interfaces";

type ResetDependencies = Pick<EffectDependencies, "hardware" | "secrets">;
type BmcReset = NonNullable<HardwareType["bmcReset"]>;

/** Calls what restarts the host's BMC; an error if it cannot be reached or has no such thing. */
async function onBmcReset<Value>(
  { hardware, secrets }: ResetDependencies,
  row: TargetRow,
  call: (reset: BmcReset, target: BmcTarget) => Promise<HardwareResult<Value>>,
): Promise<HardwareResult<Value>> {
  const reset = hardware.get(row.hardware_type)?.bmcReset;
  return reset === undefined || bmcFacts.some(({ of }) => of(row) === null)
    ? {
        ok: false,
        error: { kind: "failed", message: "its address or credential is not known", unknownOutcome: false },
      }
    : call(reset, bmcTarget(secrets, row));
}

/** Asks a BMC to restart. `record` is its permit. */
export const beginBmcReset = (
  dependencies: ResetDependencies,
  row: TargetRow,
  options: Pick<CallOptions, "signal" | "timeoutMs">,
  record: Parameters<BmcReset["begin"]>[1],
): ReturnType<BmcReset["begin"]> =>
  onBmcReset(dependencies, row, (reset, target) => reset.begin(target, record, options));

/** Whether it has restarted. A credential that was refused is tried again: a BMC that starts may not know its accounts yet. */
export const lookAtBmcReset = (
  dependencies: ResetDependencies,
  row: TargetRow,
  options: Pick<CallOptions, "signal" | "timeoutMs">,
  before: Parameters<BmcReset["look"]>[1],
): ReturnType<BmcReset["look"]> =>
  onBmcReset(dependencies, row, (reset, target) =>
    reset.look(target, before, { ...options, background: true, retryCredential: true }),
  );
