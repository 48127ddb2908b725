// Repairs of hosts: the queue, who holds which host, how repairs ended, and which hosts come back too often.
import { z } from "zod";
import {
  heldRow,
  repairHost,
  repairOffenders,
  repairOutcomesAnswer,
  repairQueue,
} from "@/server/contract/repair/answers";
import { act, hostId, list, nothing, paging, read, record } from "@/server/contract/define";
import { notedOutcomes } from "@/server/domain/repair/repairs";
import { hostLabelValue } from "@/server/domain/hosts/labels/host-labels";

export const repair = {
  queue: read({
    title: "hosts that need repair, longest waiting first",
    right: "repair.read",
    input: z.strictObject(paging(500, 200)),
    output: repairQueue,
  }),
  held: read({
    title: "hosts that a repair tenant holds, with their labelled outcome",
    right: "repair.read",
    input: nothing,
    output: list(heldRow),
  }),
  outcomes: read({
    title: "repairs that ended in the last 30 days, per day, and how long they took",
    right: "repair.read",
    input: z.strictObject(paging(500, 100)),
    output: repairOutcomesAnswer,
  }),
  offenders: read({
    title: "hosts that were repaired three times in 30 days",
    right: "repair.read",
    input: nothing,
    output: repairOffenders,
  }),
  host: read({
    title: "one host as its repairer sees it: issue, earlier repairs, and results of its last reclamation",
    right: "repair.read",
    input: z.strictObject({ host: z.string().min(1).max(128) }),
    output: repairHost,
  }),
  setOutcome: act({
    title: "records the outcome of a repair, with ticket and summary, as labels of its host",
    right: "host.label",
    action: "repair.setOutcome",
    input: z.strictObject({
      hostId,
      outcome: z.enum(notedOutcomes),
      /** Omitted: unchanged; empty: removed. */
      ticket: hostLabelValue.optional(),
      summary: hostLabelValue.optional(),
    }),
    output: record({ changed: z.boolean() }),
  }),
};
