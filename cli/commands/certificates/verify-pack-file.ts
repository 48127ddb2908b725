// `reclaim verify` of a pack: streams the archive, one file at a time in memory, and says what holds.
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Policy } from "@/server/domain/audit-log/policy";
import type { VerifiedPack } from "@/server/domain/proof/pack/verify-pack";
import { headerOf } from "@/server/domain/proof/pack/tar";
import { packFiles, tallyOf } from "@/server/domain/proof/pack/layout";
import { standingText } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { tallyText } from "@/server/domain/proof/tally-text";
import { CommandError } from "@/cli/exit-codes";
import type { Printer } from "@/cli/output/printer";

/** The name of its first file, with which no certificate and no PDF begins. */
const beginning = Buffer.from(headerOf(packFiles.readme, 0)).subarray(0, packFiles.readme.length + 1);

/** False for stdin, and for a file that cannot be read, whose error is reported by whoever reads it. */
export async function isPackFile(file: string): Promise<boolean> {
  if (file === "-") return false;
  if (file.endsWith(".pack.tar")) return true;
  const handle = await open(file).catch(() => null);
  if (handle === null) return false;
  try {
    const { buffer } = await handle.read(Buffer.alloc(beginning.length), 0, beginning.length, 0);
    return buffer.equals(beginning);
  } finally {
    await handle.close();
  }
}

/** Not plainly proven, in the order and words of the tally: "5 with exceptions, 1 not sanitized". */
const others: readonly (readonly [Standing, string])[] = [
  ["provenWithExceptions", "with exceptions"],
  ["notSanitized", standingText.notSanitized.toLowerCase()],
  ["notProven", standingText.notProven.toLowerCase()],
  ["notChecked", standingText.notChecked.toLowerCase()],
];

/** "214 of 214 hold; 5 with exceptions, 1 not sanitized". */
export function heldText({ held, certificates }: Pick<VerifiedPack, "held" | "certificates">): string {
  const holding = Object.values(held).reduce((sum, count) => sum + count, 0);
  const parts = others.flatMap(([standing, words]) =>
    held[standing] === 0 ? [] : `${held[standing]} ${words}`,
  );
  return `${holding} of ${certificates} hold${parts.length === 0 ? "" : `; ${parts.join(", ")}`}`;
}

/** Says what was found. Throws for faults, an unknown signer, and anything that is not plainly proven. */
function tell(verified: VerifiedPack, printer: Printer): void {
  const { faults, index, held, madeBy, madeAt, size, signer } = verified;
  printer.list(
    faults,
    [
      { name: "what", value: (row) => row.what, whole: true },
      { name: "why", value: (row) => row.why, long: true },
    ],
    `${heldText(verified)}.`,
  );
  if (faults.length > 0 || index === null)
    throw new CommandError(
      "tampered",
      `It does not verify: ${[...new Set(faults.map(({ what }) => what))].slice(0, 5).join(", ")}.`,
    );
  const tally = tallyOf(index.returns);
  printer.say(`${index.selection}: ${tallyText(tally)}.`);
  for (const row of index.returns.filter(({ certificate }) => certificate === null))
    printer.say(
      `No signed file: ${row.instance ?? row.reclamation ?? row.id}, host ${row.host ?? row.serial ?? row.hostId}, returned ${row.returnedAt}: ${standingText[row.standing].toLowerCase()}.`,
    );
  printer.say(
    `Made by ${madeBy ?? "nobody named"} at ${madeAt ?? "?"}. One checkpoint of ${size} events covers all.`,
  );
  if (signer === null)
    throw new CommandError(
      "unknownSigner",
      "It is consistent. Who signed it is not known.",
      "`reclaim trust add` keeps a key that you trust; --key names one.",
    );
  printer.say(`Signed by ${signer.name}, key ${signer.id}.`);
  if (held.proven !== tally.returns)
    throw new CommandError("notPlain", `Not all of it is plainly proven: ${tallyText(tally)}.`);
}

export async function verifyPackFile(file: string, policy: Policy, printer: Printer): Promise<void> {
  // The PDF renderer takes longer to load than the rest of the command.
  const { verifyPack } = await import("@/server/domain/proof/pack/verify-pack");
  const verified = await verifyPack(createReadStream(file), policy).catch((error: unknown) => {
    throw new CommandError(
      "usage",
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  tell(verified, printer);
}
