// A BMC that misbehaves while it resets itself, writes firmware or BIOS settings: the step is not over, nothing is sent twice, and it ends well once the BMC
// answers again. A BMC that is silent or forgets its accounts is in reset-to-defaults.test.ts.
import { describe, expect, it } from "vitest";
import type { HardwareResult, StepProgress } from "@/server/hardware/interfaces";
import type { Handle } from "@/server/hardware/redfish/steps/step-code";
import { done } from "@/server/simulator/testing/outcomes";
import { until } from "@/server/simulator/testing/protocol-server";
import { stepBench } from "@/server/simulator/testing/step-bench";
import type { StepOptions, Worker } from "@/server/simulator/testing/steps";

const bench = stepBench();
const checksum = "a".repeat(64);
const work: Readonly<Record<string, { readonly options: StepOptions; readonly change: RegExp }>> = {
  "management.reset_bmc_to_defaults": { options: {}, change: /Manager\.ResetToDefaults$/ },
  "firmware.update": {
    options: {
      args: { settings: [{ component: "BIOS", url: "http://images.example/bios-1.9.2.exe", checksum }] },
    },
    change: /UpdateService\.SimpleUpdate$/,
  },
  "bios.recommit": {
    options: { baseline: { bios: { SriovGlobalEnable: "Disabled" } } },
    change: /^PATCH .*Bios/,
  },
};

const handleOf = (result: HardwareResult<StepProgress>, before: Handle = null): Handle =>
  result.ok && (result.value.kind === "running" || result.value.kind === "restart")
    ? result.value.handle
    : before;

async function restart({ host }: Worker): Promise<void> {
  host.reset("ForceRestart");
  await until("the restart", () => host.running === "tenant" || host.running === "idle");
}

/** As the controller does: what cannot be asked now is asked again, with the handle that it has. */
async function follow(worker: Worker, step: string, options: StepOptions, begun: Handle) {
  let handle = begun;
  for (let look = 0; look < 20; look += 1) {
    const result = await worker.check(step, handle, options);
    if (result.ok && result.value.kind !== "running" && result.value.kind !== "restart") return result;
    handle = handleOf(result, handle);
    if (!result.ok || result.value.kind !== "restart") continue;
    await restart(worker);
  }
  throw new Error(`${step} does not end`);
}

describe.each(Object.keys(work))("%s", (step) => {
  it.each(["error5xx", "garbage", "close", "loseSession"] as const)(
    "with a BMC of fault %s",
    async (mode) => {
      const { options, change } = work[step] ?? { options: {}, change: /never/ };
      const worker = await bench.on("dell");
      const begun = await worker.begin(step, options);
      const handle = handleOf(begun);
      expect(handle).not.toBeNull();
      if (begun.ok && begun.value.kind === "restart") await restart(worker);
      // A BMC that refuses a session that was just opened refuses the credential.
      worker.host.script({ bmc: { mode, ...(mode === "loseSession" ? { requests: 1 } : {}) } });
      const meanwhile = await worker.check(step, handle, options);
      // With a lost session the client signs in again, and reads the truth.
      if (mode !== "loseSession") expect(meanwhile).not.toMatchObject({ ok: true, value: { kind: "done" } });
      worker.host.script({ bmc: null });
      expect(await follow(worker, step, options, handleOf(meanwhile, handle))).toMatchObject(done(/./));
      expect(worker.changes().filter((each) => change.test(each))).toHaveLength(1);
    },
  );
});
