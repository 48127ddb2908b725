// The step `deploy.clear_tpm`: removes the previous system's owner and endorsement authorizations, and with them its keys.
import type { Step } from "@/agent/steps/step";
import type { Answer } from "@/agent/tools/tools";

const wrong = (answer: Answer<unknown>) => ({
  result: "ERROR" as const,
  message: `${answer.command} answered ${answer.exitCode}: ${answer.status}`,
  devices: [],
});

export const clearTpm: Step = {
  interface: "deploy",
  step: "clear_tpm",
  async run({ tools }) {
    const cleared = await tools.tpm.clear();
    if (cleared.value !== true) return wrong(cleared);
    const found = await tools.tpm.authorizations();
    if (found.value === null) return wrong(found);
    const left = Object.entries({
      owner: found.value.ownerSet,
      endorsement: found.value.endorsementSet,
      lockout: found.value.lockoutSet,
    }).flatMap(([name, set]) => (set ? [name] : []));
    return left.length === 0
      ? { result: "OK", message: "the TPM is clear, read back", devices: [] }
      : {
          result: "ERROR",
          message: `after the clear these authorizations are still set: ${left.join(", ")}`,
          devices: [],
        };
  },
};
