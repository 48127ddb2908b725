// The step `deploy.verify_mem_overwrite`: asks the firmware to overwrite memory at the next restart (docs/design/agent.md#steps; TCG PC Client
// Platform Reset Attack Mitigation Specification).
import type { Step } from "@/agent/steps/step";

const variable = "MemoryOverwriteRequestControl";
const guid = "e20939be-32d4-41be-a150-897f85d49829";
/** NON_VOLATILE, BOOTSERVICE_ACCESS, RUNTIME_ACCESS. */
const attributes = 7;
const attributeBytes = 4;

/** Writes 0, then 1, and reads back each: a kernel may have set it at boot, so reading 1 alone proves nothing. */
export const verifyMemOverwrite: Step = {
  interface: "deploy",
  step: "verify_mem_overwrite",
  async run({ tools }) {
    for (const wanted of [0, 1]) {
      const written = await tools.efi.write(variable, guid, attributes, Uint8Array.of(wanted));
      if (written.value !== true) {
        return {
          result: "ERROR",
          message: `${written.command} answered ${written.exitCode}: ${written.status}`,
          devices: [],
        };
      }
      const read = await tools.efi.read(variable, guid);
      if (read.value === null)
        return {
          result: "ERROR",
          message: `${read.command} answered ${read.exitCode}: ${read.status}`,
          devices: [],
        };
      const data = read.value.subarray(attributeBytes);
      if (data.length !== 1 || data[0] !== wanted) {
        return {
          result: "ERROR",
          message: `${variable} reads ${Buffer.from(data).toString("hex") || "nothing"} after ${wanted} was written`,
          devices: [],
        };
      }
    }
    return {
      result: "OK",
      message: `${variable} is 1; memory is overwritten at the next restart`,
      devices: [],
    };
  },
};
