// One host: what is known about it, and what may be asked of it.
import { z } from "zod";
import { longestKey } from "@/server/domain/hosts/decommission/leftovers";
import { bmcSystem } from "@/server/domain/hardware/bmc-system";
import { bmcAddress } from "@/server/domain/hosts/enrolment/host-line";
import { fingerprint } from "@/server/domain/hardware/certificate";
import { macAddress } from "@/server/domain/hosts/nodes/node-values";
import { bootChange } from "@/server/domain/hosts/boot-settings";
import { hostActions, hostIntents } from "@/server/domain/hosts/host-actions";
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import { place } from "@/server/domain/hosts/place";
import { dispositionKinds } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import { hostDetail } from "@/server/contract/hosts/hosts-answers";
import { hostInventoryView } from "@/server/contract/hosts/inventory";
import { gateLine, hostHistory, reclamationDetail } from "@/server/contract/reclamations/reclamation";
import { act, dispatch, hostId, list, read, reason, record } from "@/server/contract/define";

/** One host, as the person saw it. */
export const askOfHost = z.strictObject({
  hostId,
  /** The state version that the person saw. If the host has changed state since, the act is refused. */
  stateVersion: z
    .string()
    .regex(/^\d{1,18}$/, "must be a state version")
    .optional(),
});

/** The request is recorded; the controller carries it out. */
export const accepted = record({ accepted: z.literal(true) });

const ofReclamation = z.strictObject({ hostId, reclamationId: z.guid().optional() });

export const host = {
  get: read({
    title: "one host with its state, its reclamation and its possible actions",
    right: "host.read",
    input: z.strictObject({ host: z.string().min(1).max(128) }),
    output: hostDetail,
  }),
  reclamation: read({
    title: "a reclamation of a host with its step runs, devices and timeline; without an id the newest",
    right: "host.read",
    input: ofReclamation,
    output: reclamationDetail.nullable(),
  }),
  gates: read({
    title: "the gates of a host with the evidence of each",
    right: "host.read",
    input: ofReclamation,
    output: list(gateLine),
  }),
  history: read({
    title: "the reclamations and states of a host, newest first",
    right: "host.read",
    input: z.strictObject({ hostId, before: z.string().max(20).optional() }),
    output: hostHistory,
  }),
  inventory: read({
    title: "the drives and parts of a host by each source, and how they differ from its SKU",
    right: "host.read",
    input: z.strictObject({ hostId }),
    output: hostInventoryView,
  }),
  act: dispatch({
    title: `asks one thing of a host: ${hostIntents.join(", ")}`,
    input: z.strictObject({ ...askOfHost.shape, intent: z.enum(hostIntents) }),
    output: accepted,
  }),
  setBoot: act({
    title: hostActions.setBoot.summary,
    right: hostActions.setBoot.right,
    action: "host.setBoot",
    /** Omitted members stay as they are. */
    input: z
      .strictObject({ ...askOfHost.shape, ...bootChange.shape })
      .refine(
        ({ device, mode, secureBoot }) => [device, mode, secureBoot].some((part) => part !== undefined),
        {
          error: "must name a boot device, a boot mode or secure boot",
        },
      )
      .refine(({ device, persistent }) => persistent === undefined || device !== undefined, {
        path: ["persistent"],
        error: "must come with a boot device",
      }),
    output: accepted,
  }),
  decommission: act({
    title: hostActions.decommission.summary,
    right: hostActions.decommission.right,
    action: "host.decommission",
    input: z.strictObject({
      ...askOfHost.shape,
      reason,
      /** Keeps the account that Reclaim signs in with on the BMC. */
      keepAccount: z.boolean().default(false),
    }),
    output: accepted,
  }),
  acceptLeftovers: act({
    title: hostActions.acceptLeftovers.summary,
    right: hostActions.acceptLeftovers.right,
    action: "host.acceptLeftovers",
    /** `keys`: exactly the leftovers that the person saw, so that one found later is not accepted with them. */
    input: z.strictObject({
      ...askOfHost.shape,
      reason,
      keys: z.array(z.string().min(1).max(longestKey)).min(1).max(500),
    }),
    output: accepted,
  }),
  disposeDrive: act({
    title: hostActions.disposeDrive.summary,
    right: hostActions.disposeDrive.right,
    action: "host.disposeDrive",
    input: z.strictObject({
      hostId,
      /** Serial number of the drive, or the key of an inventory entry without one. */
      drive: z.string().trim().min(1, "must name a drive").max(256),
      kind: z.enum(dispositionKinds),
      /** For `misread`: the slot that holds a drive with another serial number. */
      slot: z.string().trim().min(1).max(256).optional(),
      reason,
    }),
    /** `waits`: pending the signature of another person. */
    output: record({ id: z.string(), waits: z.boolean() }),
  }),
  withdrawDisposition: act({
    title: "withdraws a recorded disposition of a drive",
    right: "host.dispose",
    action: "host.withdrawDisposition",
    input: z.strictObject({ hostId, drive: z.string().trim().min(1).max(256), reason }),
    output: accepted,
  }),
  assignSku: act({
    title: hostActions.assignSku.summary,
    right: hostActions.assignSku.right,
    action: "host.assignSku",
    /** `sku`: name of the SKU; null for none. */
    input: z.strictObject({
      hostId,
      sku: z.string().trim().min(1).max(256).nullable(),
      reason: reason.optional(),
    }),
    output: accepted,
  }),
  setBmc: act({
    title: hostActions.setBmc.summary,
    right: "host.edit",
    action: "host.setBmc",
    /** Omitted members stay as they are. */
    input: z.strictObject({
      hostId,
      address: bmcAddress.optional(),
      /** The host's system on the Redfish service at this address; null if there is only one. */
      system: bmcSystem.nullable().optional(),
      username: z.string().trim().min(1).max(128).optional(),
      password: z.string().min(1).max(256).optional(),
      /** SHA-256 of the certificate that the BMC must show. */
      certificate: fingerprint.optional(),
      /** For a host whose BMC was not read yet; null if none is expected. */
      expectedSerial: z.string().trim().min(1).max(128).nullable().optional(),
      /** Ports to add: NICs with a cable, if the BMC lists none. */
      macs: z.array(macAddress).max(128).optional(),
      /** Retries the host if it stopped. */
      retry: z.boolean().default(true),
    }),
    /** `others`: hosts whose systems are behind the same address. They keep their own user name, password and certificate. */
    output: record({ accepted: z.literal(true), others: list(z.string()) }),
  }),
  confirmCertificate: act({
    title: hostActions.confirmCertificate.summary,
    right: "host.edit",
    action: "host.confirmCertificate",
    /** `sha256`: the fingerprint that the person compared. */
    input: z.strictObject({ hostId, sha256: fingerprint }),
    output: accepted,
  }),
  setPlace: act({
    title: hostActions.setPlace.summary,
    right: hostActions.setPlace.right,
    action: "host.setPlace",
    input: z.strictObject({ hostId, place }),
    output: accepted,
  }),
  labels: read({
    title: "the labels of a host, by its id or name",
    right: "host.summary",
    input: z.strictObject({ host: z.string().min(1).max(128) }),
    output: record({ id: z.string(), name: z.string(), labels: z.record(z.string(), z.string()).readonly() }),
  }),
  setLabels: act({
    title: hostActions.setLabels.summary,
    right: hostActions.setLabels.right,
    action: "host.setLabels",
    /** Replaces all labels of the host. */
    input: z.strictObject({ hostId, labels: hostLabels }),
    output: record({ changed: z.boolean() }),
  }),
  setMaintenance: act({
    title: hostActions.setMaintenance.summary,
    right: hostActions.setMaintenance.right,
    action: "host.setMaintenance",
    input: z.strictObject({ hostId, reason }),
    output: accepted,
  }),
  clearMaintenance: act({
    title: hostActions.clearMaintenance.summary,
    right: hostActions.clearMaintenance.right,
    action: "host.clearMaintenance",
    input: z.strictObject({ hostId }),
    output: accepted,
  }),
  recheck: act({
    title: hostActions.recheck.summary,
    right: hostActions.recheck.right,
    action: "host.recheck",
    input: z.strictObject({ ...askOfHost.shape, reason }),
    output: accepted,
  }),
  confirmUntouched: act({
    title: hostActions.confirmUntouched.summary,
    right: hostActions.confirmUntouched.right,
    action: "host.confirmUntouched",
    input: z.strictObject({
      ...askOfHost.shape,
      reason,
      /** Reason of the maintenance that the person saw: a statement about a different one is refused. */
      maintenanceReason: z.string().max(4_000).nullable().optional(),
    }),
    output: accepted,
  }),
};
