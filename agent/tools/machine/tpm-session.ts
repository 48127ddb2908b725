// A TPM of a machine and the files that tpm2-tools leave for each other. What one program leaves for the next is a file in memory.
import { answerOf, given, refused } from "@/agent/tools/machine/program/answers";
import type { Files } from "@/agent/tools/machine/program/files";
import type { Ran, RunTool } from "@/agent/tools/machine/program/run-tool";
import type { Answer } from "@/agent/tools/tools";

export interface TpmPlaces {
  /** As `-T` takes it. */
  readonly device: string;
  /** A folder in memory. */
  readonly folder: string;
}

/** The kernel's resource manager, so that no other user of the TPM is disturbed, and that nothing of a program stays in it. */
export const kernelPlaces: TpmPlaces = { device: "device:/dev/tpmrm0", folder: "/run" };

/** A TPM of its own chip may take half a minute for an RSA key. */
const keyLimitMs = 120_000;

/** What these programs print is of no use; what counts is in their files. */
const exited = (ran: Ran): Answer<true> => answerOf<true>(ran, () => true);

export interface TpmSession {
  readonly run: RunTool;
  readonly files: Files;
  readonly device: string;
  /** Path of a file of this name. */
  readonly at: (name: string) => string;
  readonly tpm: (program: string, ...args: readonly string[]) => Promise<Answer<true>>;
}

export function sessionOf(run: RunTool, files: Files, { device, folder }: TpmPlaces): TpmSession {
  return {
    ...{ run, files, device },
    at: (name) => `${folder}/reclaim-tpm-${name}`,
    tpm: async (program, ...args) =>
      exited(await run(program, ["-T", device, ...args], { limitMs: keyLimitMs })),
  };
}

/** The first program that fails, or the content of what they wrote. */
export async function afterAll<Value>(
  calls: readonly (() => Promise<Answer<true>>)[],
  value: () => Promise<Value | null>,
): Promise<Answer<Value>> {
  let last: Answer<true> = given("nothing", true);
  for (const call of calls) {
    last = await call();
    if (last.value === null) return { ...last, value: null };
  }
  const found = await value();
  return found === null
    ? refused(last.command, "its output file cannot be read", 0)
    : given(last.command, found);
}
