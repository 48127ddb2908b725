// `reclaim audit follow`: prints numbered events as they are signed, one per line, from a given number.
import { InvalidArgumentError } from "commander";
import { z } from "zod";
import { record } from "@/server/contract/define";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { entryForm, parseEntry } from "@/server/domain/audit-log/entry";
import { hashBytes, leafHash, sameHash } from "@/server/domain/audit-log/merkle";
import { decodeBundle, tilePath, tileWidth } from "@/server/domain/audit-log/tiles";
import type { TileAt } from "@/server/domain/audit-log/tiles";
import type { ReadLogFile } from "@/server/domain/audit-log/verify-log";
import { fromServer } from "@/cli/commands/audit-log/files";
import { command } from "@/cli/define/command";
import { parsed, unless } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { interruptedError } from "@/cli/http";
import { pause } from "@/cli/live/pause";
import type { Printer } from "@/cli/output/printer";
import { formatCounted } from "@/server/domain/numbers";

/** A checkpoint is signed once per second. */
const lookEveryMs = 1_000;

function readSeq(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It takes the number of an event.");
  return Number(text);
}

const notLogged = (what: string): CommandError =>
  new CommandError("tampered", `${what}.`, "See `reclaim audit verify`.");

async function readSize(read: ReadLogFile): Promise<number> {
  const bytes = await read("checkpoint");
  if (bytes === null) return 0;
  const checkpoint = parseCheckpoint(Buffer.from(bytes).toString("utf8"));
  if (checkpoint === null) throw notLogged("The checkpoint is malformed");
  return checkpoint.size;
}

/** Prints a bundle's events from a given one; each must match its leaf hash. */
async function printBundle(
  read: ReadLogFile,
  bundle: TileAt,
  since: number,
  printer: Printer,
): Promise<void> {
  const [bytes, leaves] = await Promise.all([
    read(tilePath(bundle)),
    read(tilePath({ ...bundle, kind: "hashes" })),
  ]);
  const entries = bytes === null ? [] : (decodeBundle(bytes) ?? []);
  for (
    let seq = Math.max(since, bundle.number * tileWidth);
    seq < bundle.number * tileWidth + bundle.width;
    seq += 1
  ) {
    const place = seq % tileWidth;
    const entry = entries[place];
    const leaf = leaves?.subarray(place * hashBytes, (place + 1) * hashBytes);
    const event = entry === undefined ? null : parseEntry(entry);
    if (entry === undefined || event === null || leaf === undefined || !sameHash(leafHash(entry), leaf))
      throw notLogged(`Event ${seq} is missing or was changed`);
    const target = [event.targetKind, event.targetId].filter((part) => part !== null).join(" ");
    printer.event(
      { seq, ...event },
      `${seq} ${event.at} ${event.action} ${event.outcome} by ${event.actorName ?? event.actorKind} ${target}`,
    );
  }
}

export const follow = command("audit follow", {
  title:
    "prints events as they are signed, one per line, until Ctrl-C; JSON lines with -o json; `audit verify` checks signatures",
  shape: record({ seq: z.number(), ...entryForm.shape }),
  options: {
    since: parsed(
      "<number>",
      "start at this event, so that none is missed; default: only new events",
      readSeq,
    ),
    wait: unless("--no-wait", "stop at the newest event"),
  },
  run: async ({ ask, printer, settings, surroundings }, { since, wait }) => {
    if (settings.columns !== null) throw new CommandError("usage", "--columns is for lists.");
    const read = fromServer(ask);
    for (let next = since ?? (await readSize(read)); ;) {
      const size = await readSize(read);
      if (size < next)
        throw notLogged(
          `The log has ${formatCounted(size, "event")}, and had ${next}, or --since is too high`,
        );
      while (next < size) {
        const number = Math.floor(next / tileWidth);
        const width = Math.min(tileWidth, size - number * tileWidth);
        await printBundle(read, { kind: "entries", level: 0, number, width }, next, printer);
        next = number * tileWidth + width;
      }
      if (!wait) return;
      await pause(lookEveryMs, surroundings.interrupted);
      if (surroundings.interrupted.aborted) throw interruptedError();
    }
  },
});
