// Clears the TPM: a vendor's BIOS setting that the firmware carries out at the restart and then resets.
import { hasTpm } from "@/server/hardware/redfish/inventory/platform";
import { readBios, writeSettings } from "@/server/hardware/redfish/steps/bios";
import { afterEarlierJob } from "@/server/hardware/redfish/steps/earlier-job";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import type { Talk } from "@/server/hardware/redfish/steps/talk";
import { sentTask, whenCompleted } from "@/server/hardware/redfish/steps/tasks";
import { unsupported } from "@/server/hardware/redfish/steps/stopped";

function order(talk: Talk): { readonly attribute: string; readonly value: string } {
  const { name, tpmClear: found } = talk.profile;
  if (found === null)
    throw unsupported(`no BIOS setting is known by which a BMC of type ${name} clears a TPM`);
  return found;
}

/** The setting must be pending before the restart and gone after it. A BMC reports nothing else about a TPM. */
export const clearTpm = stepMaker(
  afterEarlierJob({
    begin: async (talk) => {
      const { attribute, value } = order(talk);
      if (!hasTpm(await talk.system())) throw unsupported("the system has no TPM that is enabled");
      const written = await writeSettings(talk, { [attribute]: value });
      // A setting that still has this value was not carried out yet.
      return written.kind === "done"
        ? {
            kind: "restart",
            handle: { task: null, sentAt: talk.nowMs() },
            message: `${attribute} reads ${value}: carried out at the restart`,
          }
        : written;
    },
    check: (talk, handle) =>
      whenCompleted(talk, sentTask.parse(handle), async () => {
        const { attribute, value } = order(talk);
        const { current, pending } = await readBios(talk);
        const [now, next] = [current.body.Attributes[attribute], pending.body.Attributes[attribute]];
        if (now === value || next === value)
          return failed(`after the restart the TPM is not cleared: ${attribute} still reads ${value}`);
        return done(`the TPM was cleared at the restart: ${attribute} reads ${String(now)} again`);
      }),
  }),
);
