// `reclaim audit verify` and `export`: verifies the whole log, on the server or from a folder, with the same code.
import { z } from "zod";
import { list, record } from "@/server/contract/define";
import { parseEntry } from "@/server/domain/audit-log/entry";
import { hashBytes } from "@/server/domain/audit-log/merkle";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { decodeBundle, levelsOf, tilePath, tilesOfLevel, tileWidth } from "@/server/domain/audit-log/tiles";
import type { TileAt } from "@/server/domain/audit-log/tiles";
import { rotationAction, rotationPath } from "@/server/domain/audit-log/trusted-keys";
import { readAheadOfServer, verifyLog } from "@/server/domain/audit-log/verify-log";
import type { Fault, ReadLogFile, VerifiedLog } from "@/server/domain/audit-log/verify-log";
import { readTrust, trustOptions, unknownSigner } from "@/cli/commands/audit-log/trust";
import { fromFolder, fromServer, writeLogFile } from "@/cli/commands/audit-log/files";
import { command } from "@/cli/define/command";
import { needed, opt } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column, Printer } from "@/cli/output/printer";
import { formatCounted } from "@/server/domain/numbers";
import { readText } from "@/cli/shell";

const columns: readonly Column<Fault>[] = [
  { name: "what", value: (row) => row.what, whole: true },
  { name: "why", value: (row) => row.why, long: true },
];

/** Prints the result. Throws if anything is wrong, or if the signer is not trusted. */
function tell({ faults, more, size, signer, witnesses }: VerifiedLog, printer: Printer): void {
  printer.list(faults, columns, `${formatCounted(size, "event")}: all unchanged and in their places.`);
  if (faults.length > 0)
    throw new CommandError(
      "tampered",
      `The log was changed or is incomplete: ${more ? "at least " : ""}${formatCounted(faults.length, "fault")}.`,
      "Keep a copy of the log as it is: `reclaim audit export`.",
    );
  for (const name of witnesses) printer.say(`Cosigned by ${name}.`);
  if (signer === null) throw unknownSigner("The log");
  printer.say(`Signed by ${signer.name}, key ${signer.id}.`);
}

/** Paths of the key rotation checkpoints that a bundle's events refer to; refused rotations have none. */
const rotationsIn = (bundle: TileAt, bytes: Uint8Array): readonly string[] =>
  (decodeBundle(bytes) ?? []).flatMap((bytesOfEntry, place) => {
    const entry = parseEntry(bytesOfEntry);
    const isDone = entry?.action === rotationAction && entry.outcome === "done";
    return isDone ? [rotationPath(bundle.number * tileWidth + place)] : [];
  });

type IsWhole = (bytes: Uint8Array) => boolean;
const isSomething: IsWhole = ({ length }) => length > 0;

interface Exported {
  readonly size: number;
  /** Files that a log of this size must have, but that the server does not provide, or not completely. */
  readonly missing: readonly string[];
}

/** Copies every file of the log that exists, even if others are missing. Complete local files are kept: they never change, and `verify` checks them. */
async function exportLog(read: ReadLogFile, folder: string): Promise<Exported> {
  const there = fromFolder(folder);
  const checkpoint = await read("checkpoint");
  const size =
    checkpoint === null ? undefined : parseCheckpoint(Buffer.from(checkpoint).toString("utf8"))?.size;
  if (checkpoint === null || size === undefined)
    throw new CommandError("notNow", "The log has no checkpoint yet.", "Retry in a second.");
  const missing: string[] = [];
  const copy = async (path: string, isWhole: IsWhole): Promise<Uint8Array | null> => {
    const kept = await there(path);
    const bytes = kept !== null && isWhole(kept) ? kept : await read(path);
    if (bytes === null || !isWhole(bytes)) missing.push(path);
    if (bytes !== null) await writeLogFile(folder, path, bytes);
    return bytes;
  };
  for (const bundle of tilesOfLevel("entries", 0, size)) {
    const bytes = await copy(tilePath(bundle), (told) => decodeBundle(told)?.length === bundle.width);
    for (const path of bytes === null ? [] : rotationsIn(bundle, bytes)) await copy(path, isSomething);
  }
  for (const level of levelsOf(size))
    for (const tile of tilesOfLevel("hashes", level, size))
      await copy(tilePath(tile), ({ length }) => length === tile.width * hashBytes);
  await writeLogFile(folder, "checkpoint", checkpoint);
  return { size, missing };
}

export const wholeLog = [
  command("audit verify", {
    title: "verifies the whole log: each event, all hashes and the signature; names each fault",
    shape: list(record({ what: z.string(), why: z.string() })),
    signedIn: ({ from }) => from === undefined,
    options: {
      ...trustOptions,
      from: opt("<folder>", "a folder from `audit export`; works offline"),
      checkpoint: opt("<file>", "a checkpoint that you kept: proves that the log was not rewritten since"),
      keep: opt(
        "<file>",
        "save the newest checkpoint there if verification succeeds, for --checkpoint next time",
      ),
    },
    run: async ({ ask, printer, surroundings }, { from, checkpoint, keep, ...trust }) => {
      const policy = await readTrust(trust, surroundings);
      const kept =
        checkpoint === undefined ? [] : [await readText("kept checkpoint", checkpoint, surroundings)];
      const read = from === undefined ? fromServer(ask) : fromFolder(from);
      const verified = await verifyLog(read, { policy, kept, readAhead: readAheadOfServer });
      tell(verified, printer);
      if (keep !== undefined && verified.checkpoint !== null)
        await writeLogFile(".", keep, verified.checkpoint);
    },
  }),
  command("audit export", {
    title:
      "saves all files of the log in a folder, in the form of C2SP tlog-tiles; later runs add what is new",
    options: { to: needed(opt("<folder>", "created if missing")) },
    run: async ({ ask, printer }, { to }) => {
      const { size, missing } = await exportLog(fromServer(ask), to);
      if (missing.length > 0)
        throw new CommandError(
          "tampered",
          `The log is incomplete: ${formatCounted(missing.length, "file")} missing or short on the server, the first is ${missing[0]}.`,
          `What there is, is in ${to}. \`reclaim audit verify --from ${to}\` tells more.`,
        );
      printer.say(
        `${formatCounted(size, "event")} in ${to}. \`reclaim audit verify --from ${to}\` checks them.`,
      );
    },
  }),
];
