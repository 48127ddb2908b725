// Admission: who waits for cleaning and why, the limits, and the brakes.
import { z } from "zod";
import { limitsByPlace, policy } from "@/server/domain/cleaning/policy/policy";
import { part } from "@/server/domain/cleaning/queue/narrowed";
import { brakeInvestigation, queueHosts, queuePage } from "@/server/contract/cleaning/queue-answers";
import { act, moment, nothing, paging, read, record, siteId, reason } from "@/server/contract/define";

export const queue = {
  get: read({
    title: "the limits of each site, how many hosts wait, and the brakes",
    right: "cleaning.read",
    input: nothing,
    output: queuePage,
  }),
  hosts: read({
    title: "the hosts that wait at a site, in order, each with its reason",
    right: "cleaning.read",
    input: z.strictObject({ siteId, ...paging(500, 100) }),
    output: queueHosts,
  }),
  setLimits: act({
    title: "sets how many hosts of a site are cleaned at once, and how many boot",
    right: "cleaning.override",
    action: "site.setAdmission",
    input: z.strictObject({
      siteId,
      /** All four numbers; null means no limit. Individual segments and power domains only if they change. */
      limits: z.strictObject({
        ...policy.shape.admission.shape,
        segments: limitsByPlace.exactOptional(),
        powerDomains: limitsByPlace.exactOptional(),
      }),
      /** The policy version that the person saw. */
      policyVersion: z.int().min(1).optional(),
    }),
    output: record({ policyVersion: z.number() }),
  }),
};

export const brakes = {
  investigate: read({
    title:
      "what put a brake on: its failures, and what they have in common that the rest of the site has not",
    right: "cleaning.read",
    input: z.strictObject({ brakeId: z.guid("must be the id of a brake") }),
    output: brakeInvestigation,
  }),
  narrow: act({
    title:
      "keeps a brake on for hosts with a drive firmware or of a model, and those of which it is not known; the rest of its group begins",
    right: "brake.lift",
    action: "brake.narrow",
    input: z.strictObject({
      brakeId: z.guid("must be the id of a brake"),
      /** Values that a failed host has. A host with any of them stays held. */
      to: z.array(part).min(1, "must name what the brake is kept on for").max(20),
      /** When the brake came on and what it holds, as the person saw it: it is narrowed only if both are still so. */
      seen: z.strictObject({ engagedAt: moment, narrowedTo: z.array(part).min(1).nullable() }),
      reason,
    }),
    output: record({ narrowed: z.literal(true), hosts: z.number() }),
  }),
  engage: act({
    title:
      "puts on a brake that asks: new cleanings of its group pause, even if that takes the last capacity of a SKU",
    right: "brake.lift",
    action: "brake.engage",
    input: z.strictObject({ brakeId: z.guid("must be the id of a brake") }),
    output: record({ engaged: z.literal(true) }),
  }),
  lift: act({
    title: "lifts a brake, or dismisses one that asks: new cleanings of its group begin",
    right: "brake.lift",
    action: "brake.lift",
    input: z.strictObject({ brakeId: z.guid("must be the id of a brake"), reason }),
    output: record({ lifted: z.literal(true), hosts: z.number() }),
  }),
};
