// What should be done next, and who does it (docs/next.md).
import { z } from "zod";
import { act, list, moment, nothing, read, reason, record, sha256Digest } from "@/server/contract/define";
import { groupEvent, nextList } from "@/server/contract/next/next-answers";

const key = sha256Digest;
const note = z.string().trim().max(2_000, "at most 2,000 characters");

export const next = {
  list: read({
    title: "what needs a person, in the order in which it should be done: one line for each cause",
    right: "next.read",
    input: z.strictObject({
      /** Only what concerns this site, by name; left out: all. */
      site: z.string().min(1).max(128).optional(),
    }),
    output: nextList,
  }),
  count: read({
    title: "how many things need a person now",
    right: "next.read",
    input: nothing,
    output: record({ groups: z.number() }),
  }),
  history: read({
    title: "what people did with a group, newest first",
    right: "next.read",
    input: z.strictObject({ key }),
    output: list(groupEvent),
  }),
  assign: act({
    title: "takes a group, hands it over to another person, or puts it back",
    right: "failure.note",
    action: "next.assign",
    input: z.strictObject({
      key,
      /** Null: nobody has it. */
      ownerId: z.guid("must be the id of a person").nullable(),
      /** What the next person should know; left out: the note stays. */
      note: note.optional(),
      /** Who had it when it was read, null: nobody; refused if somebody else has it by now. Left out: whoever has it. */
      from: z.guid("must be the id of a person").nullable().optional(),
    }),
    output: record({ owner: z.string().nullable() }),
  }),
  note: act({
    title: "notes what is known about a group",
    right: "failure.note",
    action: "next.note",
    input: z.strictObject({ key, note }),
    output: record({ saved: z.literal(true) }),
  }),
  snooze: act({
    title: "leaves a group out of the list until a time, or until it grows",
    right: "failure.note",
    action: "next.snooze",
    input: z.strictObject({ key, until: moment, reason }),
    output: record({ saved: z.literal(true) }),
  }),
  wake: act({
    title: "ends the snooze of a group",
    right: "failure.note",
    action: "next.wake",
    input: z.strictObject({ key }),
    output: record({ saved: z.literal(true) }),
  }),
};
