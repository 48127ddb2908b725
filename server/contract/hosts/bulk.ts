// One act on many hosts: preview, start, progress.
import { z } from "zod";
import { maxHoldMs } from "@/server/domain/cleaning/interruptions";
import { bulkIntents } from "@/server/domain/hosts/bulk-intents";
import { bulkPreview, bulkProgress, bulkRuns, bulkStatuses } from "@/server/contract/hosts/bulk-answers";
import { manualWork } from "@/server/contract/cleaning/cleaning";
import { act, nothing, paging, read, record } from "@/server/contract/define";
import { hostTarget } from "@/server/contract/hosts/hosts";

export const bulk = {
  preview: act({
    title: "stores which hosts of a selection qualify for an act; bulk.start runs exactly that",
    // In addition to the right of the act itself.
    right: "host.list",
    action: "bulk.preview",
    input: z.strictObject({
      target: hostTarget,
      intent: z.enum(bulkIntents),
      ...manualWork,
      /** For hold, maintenance and decommission. */
      reason: z.string().trim().max(500, "at most 500 characters").optional(),
      /** For hold, in ms; defaults to the site's setting. */
      forMs: z.int().min(1).max(maxHoldMs, "at most 30 days").optional(),
    }),
    output: bulkPreview,
  }),
  start: act({
    title: "starts an act that was previewed",
    right: "host.list",
    action: "bulk.start",
    input: z.strictObject({ id: z.guid("must be the id of a preview") }),
    output: record({ id: z.string(), startedAt: z.date() }),
  }),
  progress: read({
    title: "a run on many hosts: counts by result, and the result of each host",
    right: "host.list",
    input: z.strictObject({
      id: z.guid("must be the id of an act"),
      statuses: z.array(z.enum(bulkStatuses)).default([]),
      ...paging(1000, 100),
      /** 0: counts only. */
      limit: z.int().min(0).max(1000).default(100),
    }),
    output: bulkProgress,
  }),
  list: read({
    title: "the runs on many hosts, newest first",
    right: "host.list",
    input: nothing,
    output: bulkRuns,
  }),
};
