// The act Replace drive: a ticket for whoever swaps the drive, with slot and serial number (docs/next.md#replace-a-drive).
import { z } from "zod";
import { maxParts, ticketPart } from "@/server/domain/break-fix/ticket";
import type { TicketPart } from "@/server/domain/break-fix/ticket";
import type { TriedDrive } from "@/server/domain/hosts/advice/tried";
import { issueLimits } from "@/server/domain/repair/health-issue";
import { formatCounted, formatList } from "@/server/domain/numbers";

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

/** By these, a ticket that the act opened is known. */
export const replacement = { category: "drive", summary: "Replace drive" } as const;

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

/**
 * For the first drives, as many as a ticket can name: while it is open, the act opens one for the others.
 * @param says why they are replaced: the sentences of the failure. Pure.
 */
export function ticketToReplace(
  host: string,
  due: readonly TriedDrive[],
  says: readonly string[],
): ReplaceDriveTicket {
  const drives = due.slice(0, maxParts);
  const later = due.length - drives.length;
  const more = drives.length - maxNamed;
  const list = [...drives.slice(0, maxNamed).map(driveAt), ...(more > 0 ? [`${more} more`] : [])];
  const summary = `${replacement.summary}${drives.length === 1 ? "" : "s"} ${formatList(list)}`.slice(
    0,
    issueLimits.summary,
  );
  const parts = drives.map(partOf);
  const named = parts.map((part) => `--part ${quoted(written(part))}`).join(" ");
  return {
    summary,
    details: [
      ...(later > 0 ? [`${formatCounted(later, "more drive")} to replace: a second ticket names them.`] : []),
      ...says,
    ]
      .join("\n")
      .slice(0, issueLimits.details),
    parts,
    command: `reclaim tickets open --host ${host} --category ${replacement.category} ${named} --summary ${quoted(summary)}`,
  };
}
