// The act Replace drive: a ticket for whoever swaps the drive, with slot and serial number (docs/next.md#replace-a-drive).
import { z } from "zod";
import { ticketPart } from "@/server/domain/break-fix/ticket";
import type { TicketPart } from "@/server/domain/break-fix/ticket";
import type { TriedDrive } from "@/server/domain/hosts/advice/tried";
import { issueLimits } from "@/server/domain/repair/health-issue";
import { formatList } from "@/server/domain/numbers";

export const replaceDriveAct = {
  words: "Replace drive",
  right: "ticket.open",
  consequence:
    "A ticket is opened that names slot and serial number. Nothing changes on the host: it stays out of allocation, and what the drive holds stays owed until it is erased, or somebody has said what became of it and another person has signed that.",
} as const;

/** The ticket that the act opens, as `tickets.open` takes it; `command` opens the same. */
export const replaceDriveTicket = z.strictObject({
  summary: z.string(),
  details: z.string(),
  parts: z.array(ticketPart).readonly(),
  command: z.string(),
});
export type ReplaceDriveTicket = Readonly<z.output<typeof replaceDriveTicket>>;

/** How many drives the summary names; the parts name all. */
const maxNamed = 6;

/** "S6XNNA0T in slot 3". Pure. */
export const driveAt = ({ serial, slot }: Pick<TriedDrive, "serial" | "slot">): string =>
  slot === null ? serial : `${serial} in ${/^\d+$/.test(slot) ? `slot ${slot}` : slot}`;

const partOf = ({ serial, slot, firmware }: TriedDrive): TicketPart => ({
  kind: "drive",
  serial,
  firmware,
  slot: slot ?? "",
});

/** For a shell: a text in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A colon separates the members of a part on the command line, so a member with one cannot be given there. */
const written = ({ kind, serial, firmware, slot }: TicketPart): string =>
  [kind, serial, firmware, slot]
    .map((member) => (member.includes(":") ? "" : member))
    .join(":")
    .replace(/:+$/, "");

/** @param says why they are replaced: the sentences of the failure. Pure. */
export function ticketToReplace(
  host: string,
  drives: readonly TriedDrive[],
  says: readonly string[],
): ReplaceDriveTicket {
  const more = drives.length - maxNamed;
  const list = [...drives.slice(0, maxNamed).map(driveAt), ...(more > 0 ? [`${more} more`] : [])];
  const summary = `Replace ${drives.length === 1 ? "drive" : "drives"} ${formatList(list)}`;
  const parts = drives.map(partOf);
  const named = parts.map((part) => `--part ${quoted(written(part))}`).join(" ");
  return {
    summary,
    details: says.join("\n").slice(0, issueLimits.details),
    parts,
    command: `reclaim tickets open --host ${host} --category drive ${named} --summary ${quoted(summary)}`,
  };
}
