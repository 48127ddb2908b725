// Failed hosts, grouped by what they have in common.
import { z } from "zod";
import { failureGroups } from "@/server/contract/cleaning/failures-answers";
import { act, moment, nothing, read, record } from "@/server/contract/define";

export const failures = {
  groups: read({
    title: "failed hosts grouped by cause and device model, largest groups first",
    right: "host.list",
    input: nothing,
    output: failureGroups,
  }),
  note: act({
    title: "sets owner, note and snooze of a group of failures",
    right: "failure.note",
    action: "failure.note",
    input: z.strictObject({
      digest: z.string().regex(/^[0-9a-f]{64}$/, "must be the digest of a group"),
      /** Null: no owner. */
      ownerId: z.guid("must be the id of a person").nullable(),
      note: z.string().trim().max(2_000, "at most 2,000 characters"),
      /** Null: not snoozed. A snooze ends early if the group grows. */
      snoozedUntil: moment.nullable(),
    }),
    output: record({ saved: z.literal(true) }),
  }),
};
