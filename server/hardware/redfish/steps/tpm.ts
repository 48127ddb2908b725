// Clears the TPM: a vendor's BIOS setting that the firmware carries out at the restart and then resets.
import { hasTpm } from "@/server/hardware/redfish/inventory/platform";
import { readBios, writeSettings } from "@/server/hardware/redfish/steps/bios";
import { afterEarlierJob } from "@/server/hardware/redfish/steps/earlier-job";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { sentTask, whenCompleted } from "@/server/hardware/redfish/steps/tasks";
import { unsupported } from "@/server/hardware/redfish/steps/stopped";

function order(session: StepClient): { readonly attribute: string; readonly value: string } {
  const { name, tpmClear: found } = session.profile;
  if (found === null)
    throw unsupported(`no BIOS setting is known by which a BMC of type ${name} clears a TPM`);
  return found;
}

/** The setting must be pending before the restart and gone after it. A BMC reports nothing else about a TPM. */
export const clearTpm = stepMaker(
  afterEarlierJob({
    begin: async (session) => {
      const { attribute, value } = order(session);
      if (!hasTpm(await session.system())) throw unsupported("the system has no TPM that is enabled");
      const written = await writeSettings(session, { [attribute]: value });
      // A setting that still has this value was not carried out yet.
      return written.kind === "done"
        ? {
            kind: "restart",
            handle: { task: null, sentAt: session.nowMs() },
            message: `${attribute} reads ${value}: carried out at the restart`,
          }
        : written;
    },
    check: (session, handle) =>
      whenCompleted(session, sentTask.parse(handle), async () => {
        const { attribute, value } = order(session);
        const { current, pending } = await readBios(session);
        const [now, next] = [current.body.Attributes[attribute], pending.body.Attributes[attribute]];
        if (now === value || next === value)
          return failed(`after the restart the TPM is not cleared: ${attribute} still reads ${value}`);
        return done(`the TPM was cleared at the restart: ${attribute} reads ${String(now)} again`);
      }),
  }),
);
