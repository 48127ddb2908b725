// Instances: who has which host, and how to claim and release one.
import { replacementWishInput } from "@/server/domain/break-fix/ticket";
import { z } from "zod";
import {
  instanceHistoryLine,
  instanceList,
  instanceMatch,
  instanceOffer,
  instanceReceipt,
  instanceRow,
  releaseResult,
} from "@/server/contract/instances/instances-answers";
import { instanceDescription, instanceLabels, instanceName } from "@/server/domain/instances/own-text";
import { healthIssue } from "@/server/domain/repair/health-issue";
import { acknowledgements, onlineRepairIssue } from "@/server/domain/repair/online-repair";
import { requestedNetwork } from "@/server/domain/hosts/network/tenant-network";
import { act, dispatch, hostId, list, nothing, paging, read, record, siteId } from "@/server/contract/define";

const instanceId = z.guid("must be the id of an instance");
const skuId = z.guid("must be the id of a SKU");

/** Called for one instance by NICo's API, and by `instances.release` for each of its ids. */
export const releaseOne = act({
  title: "releases an instance: its host is reclaimed and cleaned",
  right: "instance.release",
  action: "instance.release",
  input: z.strictObject({
    instanceId,
    issue: healthIssue.nullish(),
    /** The release ends a repair, whose outcome is in the host's label. */
    repairTenant: z.boolean().default(false),
    /** Requested from the provider in the issue's ticket. */
    ...replacementWishInput,
  }),
  output: record({ instanceId: z.string(), hostId: z.string(), alreadyReleasing: z.boolean() }),
});

export const instances = {
  list: read({
    title: "the instances that have not ended, or those that have, page by page",
    right: "instance.read",
    input: z.strictObject({
      filter: z.string().trim().max(200).default(""),
      status: z.enum(["open", "ended", "all"]).default("open"),
      ...paging(200, 100),
    }),
    output: instanceList,
  }),
  find: read({
    title: "the instances that match a name or id",
    right: "instance.read",
    input: z.strictObject({ text: z.string().min(1).max(256) }),
    output: list(instanceMatch),
  }),
  get: read({
    title: "one instance",
    right: "instance.read",
    input: z.strictObject({ id: instanceId }),
    output: instanceRow,
  }),
  history: read({
    title: "the status history of an instance, which stays readable after its end",
    right: "instance.read",
    input: z.strictObject({ id: instanceId }),
    output: list(instanceHistoryLine),
  }),
  receipt: read({
    title: "the reclamation of a released machine, and at the end its receipt",
    right: "instance.read",
    input: z.strictObject({ id: instanceId }),
    output: instanceReceipt,
  }),
  offer: read({
    title: "what the tenant can create now: its quota, and free hosts by site and SKU",
    right: "instance.create",
    input: nothing,
    output: instanceOffer,
  }),
  create: act({
    title: "creates an instance on any free host of a SKU or site, or on an exact host if the tenant may",
    right: "instance.create",
    action: "instance.create",
    input: z.strictObject({
      name: instanceName,
      description: instanceDescription.optional(),
      labels: instanceLabels.default({}),
      network: requestedNetwork.optional(),
      wanted: z.union([
        /** `allowUnhealthy`: also accepts a host that waits for repair. */
        z.strictObject({ hostId, allowUnhealthy: z.boolean().default(false) }),
        z.strictObject({ siteId, skuId: skuId.optional() }),
        z.strictObject({ skuId }),
      ]),
    }),
    output: record({ id: z.string(), hostId: z.string() }),
  }),
  update: act({
    title: "changes name, description or labels of an instance; labels are replaced as a whole",
    right: "instance.edit",
    action: "instance.update",
    input: z.strictObject({
      instanceId,
      name: instanceName.optional(),
      description: instanceDescription.nullable().optional(),
      labels: instanceLabels.optional(),
    }),
    output: record({ id: z.string(), changed: z.boolean() }),
  }),
  beginRepair: act({
    title: "begins an online repair: the host is repaired while its tenant keeps the instance",
    right: "instance.release",
    action: "instance.beginRepair",
    input: z.strictObject({
      instanceId,
      issue: onlineRepairIssue,
      /** Stored as a label and shown; nothing is deleted because of it. */
      allowAutoInstanceDeletionOnFailure: z.boolean(),
      acknowledgments: acknowledgements,
    }),
    output: record({ id: z.string() }),
  }),
  endRepair: act({
    title: "ends an online repair: the instance is ready for use again",
    right: "instance.release",
    action: "instance.endRepair",
    input: z.strictObject({ instanceId }),
    output: record({ id: z.string() }),
  }),
  escalateRepair: act({
    title: "escalates a failed online repair: the repair ends, and the instance is released with its issue",
    right: "instance.release",
    action: "instance.escalateRepair",
    input: z.strictObject({
      instanceId,
      /** Defaults to the issue that the online repair was requested for. */
      issue: healthIssue.nullish(),
      /** Defaults to the summary of the issue. */
      failureReason: z.string().trim().min(1).max(255).optional(),
    }),
    output: releaseOne.output,
  }),
  release: dispatch({
    title: "releases instances: their hosts are reclaimed and cleaned; one refusal does not stop the others",
    /** An issue applies to a single machine. */
    input: z
      .strictObject({
        ids: z.array(instanceId).min(1).max(200),
        issue: healthIssue.nullish(),
        repairTenant: z.boolean().default(false),
        ...replacementWishInput,
      })
      .refine(({ ids, issue, repairTenant }) => ids.length === 1 || (!issue && !repairTenant), {
        path: ["issue"],
        error: "applies to one instance; release that one alone",
      }),
    output: list(releaseResult),
  }),
};
