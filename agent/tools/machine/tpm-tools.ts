// tpm2-tools on a machine.
import { answerOf, doneOf, given, refused, silence, text } from "@/agent/tools/machine/program/answers";
import { programs } from "@/agent/tools/machine/program/paths";
import type { Files } from "@/agent/tools/machine/program/files";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import type { TpmTools } from "@/agent/tools/tools";

/** TPMA_PERMANENT, as `tpm2_getcap properties-variable` prints it; null unless all three are there. */
export const readAuthorizations = text((output) => {
  const isSet = (name: string): boolean | null => {
    const value = new RegExp(`^\\s*${name}:\\s*([01])\\s*$`, "m").exec(output)?.[1];
    return value === undefined ? null : value === "1";
  };
  const [ownerSet, endorsementSet, lockoutSet] = ["ownerAuthSet", "endorsementAuthSet", "lockoutAuthSet"].map(
    isSet,
  );
  return typeof ownerSet === "boolean" &&
    typeof endorsementSet === "boolean" &&
    typeof lockoutSet === "boolean"
    ? { ownerSet, endorsementSet, lockoutSet }
    : null;
});

/** The kernel's resource manager, so that no other user of the TPM is disturbed. */
const device = ["-T", "device:/dev/tpmrm0"] as const;

/** A kernel with TPM support has the folder even on a machine without one: without the folder nothing is known. */
const folder = "/sys/class/tpm";

export const tpmTools = (run: RunTool, files: Files): TpmTools => ({
  found: async () => {
    const names = await files.list(folder);
    return names === null
      ? refused(`read ${folder}`, `${folder} cannot be read`)
      : given(`read ${folder}`, names.length > 0);
  },
  clear: async () => doneOf(await run(programs.tpm2Clear, [...device, "-c", "l"]), silence),
  authorizations: async () =>
    answerOf(await run(programs.tpm2Getcap, [...device, "properties-variable"]), readAuthorizations),
});
