// `reclaim verify` of a pack: streams the archive, one file at a time in memory.
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Policy } from "@/server/domain/audit-log/policy";
import type { VerifiedPack } from "@/server/domain/assurance/proof/pack/verify-pack";
import { isPack } from "@/server/domain/assurance/proof/pack/layout";
import { CommandError } from "@/cli/exit-codes";

const fewBytes = 512;

/** False for stdin, and for a file that cannot be read, whose error is reported by whoever reads it. */
export async function isPackFile(file: string): Promise<boolean> {
  if (file === "-") return false;
  if (file.endsWith(".pack.tar")) return true;
  const handle = await open(file).catch(() => null);
  if (handle === null) return false;
  try {
    const { buffer } = await handle.read(Buffer.alloc(fewBytes), 0, fewBytes, 0);
    return isPack(buffer);
  } finally {
    await handle.close();
  }
}

export async function verifyPackFile(file: string, policy: Policy): Promise<VerifiedPack> {
  // The PDF renderer takes longer to load than the rest of the command.
  const { verifyPack } = await import("@/server/domain/assurance/proof/pack/verify-pack");
  return verifyPack(createReadStream(file), policy).catch((error: unknown) => {
    throw new CommandError(
      "usage",
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
}
