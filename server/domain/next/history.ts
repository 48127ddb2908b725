// What people did with a group, in words.
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { formatProofTime } from "@/server/domain/proof-time";

/** The actions that a group's history is made of. */
export const groupActions = [
  "next.assign",
  "next.note",
  "next.snooze",
  "next.wake",
  "failure.note",
] as const satisfies readonly AuditAction[];
export type GroupAction = (typeof groupActions)[number];

/** An event's facts, as they are stored: another release may have written others. */
type Facts = Readonly<Record<string, unknown>>;

const textOf = (facts: Facts, name: string): string | null => {
  const value = facts[name];
  return typeof value === "string" && value !== "" ? value : null;
};

const noted = (facts: Facts): string => {
  const note = textOf(facts, "note");
  return note === null ? "" : `, noted “${note}”`;
};

const until = (facts: Facts): string => {
  const at = Date.parse(textOf(facts, "snoozedUntil") ?? "");
  return Number.isNaN(at) ? "" : ` until ${formatProofTime(new Date(at), "UTC")}`;
};

function assigned(by: string, before: Facts, after: Facts): string {
  const [from, to] = [textOf(before, "owner"), textOf(after, "owner")];
  if (to === from) return `kept the owner${noted(after)}`;
  if (to === null) return `put it back${noted(after)}`;
  if (to === by) return `took it${from === null ? "" : ` from ${from}`}${noted(after)}`;
  return `handed it over to ${to}${noted(after)}`;
}

/** "took it from Sara Duarte". @param by name of who did it. Pure. */
export function formatGroupEvent(
  action: GroupAction,
  by: string,
  { before, after }: { readonly before: Facts; readonly after: Facts },
): string {
  switch (action) {
    case "next.assign":
      return assigned(by, before, after);
    case "next.note":
      return textOf(after, "note") === null ? "removed the note" : `noted “${textOf(after, "note")}”`;
    case "next.snooze":
      return `snoozed it${until(after)}${textOf(after, "reason") === null ? "" : `: “${textOf(after, "reason")}”`}`;
    case "next.wake":
      return "ended the snooze";
    case "failure.note": {
      const owner = textOf(after, "owner");
      return `saved owner and note on the page of failures: ${owner ?? "nobody"} has it${noted(after)}${until(after) === "" ? "" : `, snoozed${until(after)}`}`;
    }
  }
}
