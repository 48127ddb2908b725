// tpm2-tools on a machine.
import { answerOf, doneOf, given, refused, silence, text } from "@/agent/tools/machine/program/answers";
import { programs } from "@/agent/tools/machine/program/paths";
import type { Files } from "@/agent/tools/machine/program/files";
import type { Ran, RunTool } from "@/agent/tools/machine/program/run-tool";
import { identityTools } from "@/agent/tools/machine/tpm-identity";
import { quoteTools } from "@/agent/tools/machine/tpm-quote";
import { kernelPlaces, sessionOf, type TpmPlaces } from "@/agent/tools/machine/tpm-session";
import type { TpmTools } from "@/agent/tools/tools";

/** TPMA_PERMANENT, as `tpm2_getcap properties-variable` prints it; null unless all of it is there. */
export const readTpmState = text((output) => {
  const isSet = (name: string): boolean | null => {
    const value = new RegExp(`^\\s*${name}:\\s*([01])\\s*$`, "m").exec(output)?.[1];
    return value === undefined ? null : value === "1";
  };
  const [ownerSet, endorsementSet, lockoutSet, clearDisabled] = [
    ...["ownerAuthSet", "endorsementAuthSet", "lockoutAuthSet", "disableClear"].map(isSet),
  ];
  return typeof ownerSet === "boolean" &&
    typeof endorsementSet === "boolean" &&
    typeof lockoutSet === "boolean" &&
    typeof clearDisabled === "boolean"
    ? { ownerSet, endorsementSet, lockoutSet, clearDisabled }
    : null;
});

/** The point of an elliptic-curve key, as `tpm2_createprimary` prints its public part. */
export const readKey = text((output) => {
  const [x, y] = ["x", "y"].map((name) => new RegExp(`^${name}: ([0-9a-f]{64})$`, "m").exec(output)?.[1]);
  return x === undefined || y === undefined ? null : `${x}${y}`;
});

/** The TPM's answer, without the places in the library that passed it on. */
const brief = (ran: Ran): Ran => ({
  ...ran,
  stderr: /^ERROR: (Esys_\w+\(0x[0-9A-F]+\) - .*)$/m.exec(ran.stderr)?.[1] ?? ran.stderr,
});

/** A kernel with TPM support has the folder even on a machine without one: without the folder nothing is known. */
const folder = "/sys/class/tpm";

/** What the firmware does on request of the system (TCG Physical Presence Interface, operation 5 "Clear"; Linux' sysfs-driver-ppi). */
const requests = `${folder}/tpm0/ppi/tcg_operations`;
const onRequest = { "4": "alone", "3": "withPerson" } as const;

export const tpmTools = (run: RunTool, files: Files, places: TpmPlaces = kernelPlaces): TpmTools => ({
  ...identityTools(sessionOf(run, files, places)),
  ...quoteTools(sessionOf(run, files, places)),
  found: async () => {
    const names = await files.list(folder);
    return names === null
      ? refused(`read ${folder}`, `${folder} cannot be read`)
      : given(`read ${folder}`, names.length > 0);
  },
  clear: async () => doneOf(brief(await run(programs.tpm2Clear, ["-T", places.device, "-c", "l"])), silence),
  state: async () =>
    answerOf(await run(programs.tpm2Getcap, ["-T", places.device, "properties-variable"]), readTpmState),
  ownerKey: async () =>
    answerOf(
      brief(await run(programs.tpm2CreatePrimary, ["-T", places.device, "-C", "o", "-G", "ecc"])),
      readKey,
    ),
  onRequest: async () => {
    const found = await files.read(requests);
    const clear = /^5 ([0-4]):/m.exec(found === null ? "" : Buffer.from(found).toString("utf8"))?.[1];
    return given(`read ${requests}`, clear === "3" || clear === "4" ? onRequest[clear] : "never");
  },
});
