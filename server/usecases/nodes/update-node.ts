// Changes a node's record. State and cleaning are the controller's; what it acts on here (retired, BMC, maintenance) it reads from the row itself.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import { z } from "zod";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { isUniqueViolation } from "@/server/db/transaction";
import { isFake } from "@/server/domain/fake/fake-type";
import { changeRefusal, driverRefusal } from "@/server/domain/nodes/node-rules";
import { nodeBmc, nodeFields } from "@/server/domain/nodes/node-values";
import type { NodeBmc, NodeFields } from "@/server/domain/nodes/node-values";
import { defineAct } from "@/server/usecases/define-act";
import { writeMaintenance } from "@/server/usecases/hosts/acts/maintenance";
import {
  auditFactsOf,
  changedFields,
  hostColumns,
  recordColumns,
} from "@/server/usecases/nodes/node-columns";
import { lockNode } from "@/server/usecases/nodes/node-facts";
import type { LockedNode } from "@/server/usecases/nodes/node-facts";
import { readRecord } from "@/server/usecases/nodes/read-record";
import { refusedField } from "@/server/usecases/nodes/refused-fields";
import { taken } from "@/server/usecases/nodes/taken";
import { done, refused } from "@/server/usecases/problem";
import type { Problem } from "@/server/usecases/problem";

export const updateNodeInput = z.strictObject({
  hostId: z.uuid("must be the id of a host"),
  /** When the record that the change was made from was last changed, in ms; null: never. */
  seenMs: z.number().nullable(),
  /** As all of it is to be. */
  fields: nodeFields,
  bmc: nodeBmc,
  maintenance: z.boolean(),
});

interface Wanted {
  /** Those that are to be another. */
  readonly changed: Partial<NodeFields>;
  readonly bmc: NodeBmc;
}

/** What the state says against these changes, or null. */
function stateRefusal(node: LockedNode, { changed, bmc }: Wanted): Problem | null {
  const said = (code: "conflict" | "notAllowedNow", why: string): Problem => ({
    code,
    detail: `Node ${node.hostId} can not be changed: ${why}.`,
  });
  const transition = changeRefusal(node);
  if (transition !== null) return said("conflict", transition);
  const driver =
    changed.hardwareType !== undefined || changed.interfaces !== undefined ? driverRefusal(node) : null;
  if (driver !== null) return said("conflict", driver);
  if (changed.hardwareType !== undefined && node.state !== "Enroll" && node.state !== "Manageable")
    return said("conflict", "its driver can be changed in enroll and manageable only");
  // Another address may be another machine, which nothing would verify any more.
  if (bmc.address !== node.bmcAddress && node.state !== "Enroll")
    return said(
      "notAllowedNow",
      "the address of its BMC can be changed in enroll only, before it is verified. Delete and create the node to give it another",
    );
  if (changed.retired === true && node.state === "Ready")
    return said("conflict", "a node in available can not be retired; move it to manageable first");
  if (changed.protected === true && node.state !== "Assigned/Ready")
    return said("conflict", "only an active node can be protected");
  return null;
}

/** What is a machine stays one, and what is none: the database refuses it, too. */
function fakeStands(before: NodeFields, { hardwareType }: Partial<NodeFields>): Problem | null {
  if (hardwareType === undefined || !(isFake(before) || isFake({ hardwareType }))) return null;
  return {
    code: "conflict",
    detail: `Node ${before.name ?? ""} can not be changed: no machine becomes fake hardware, and fake hardware no machine. Delete and create the node to give it another driver.`,
  };
}

/** A record that was changed meanwhile is `conflict` on the field `seenMs`: read again and repeat. */
export const updateNode = defineAct({
  action: "node.update",
  right: "host.edit",
  input: updateNodeInput,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => lockNode(tx, hostId),
  run: async ({ tx, secrets, actor }, node, { hostId, seenMs, fields, bmc, maintenance }) => {
    if (node.updatedMs !== seenMs)
      return refused("conflict", "The node was changed by somebody else at the same moment.", "seenMs");
    const before = await readRecord(tx, hostId);
    if (before === null) throw new Error(`host ${hostId} is locked and has no record`);
    const changed = changedFields(before.fields, fields);
    const bmcChanged =
      bmc.address !== before.bmc.address ||
      bmc.username !== before.bmc.username ||
      bmc.password !== undefined;
    const turns = maintenance !== node.maintenance;
    const problem =
      stateRefusal(node, { changed, bmc }) ??
      fakeStands(before.fields, changed) ??
      refusedField(actor, fields, before.fields) ??
      (await taken(tx, hostId, {
        name: changed.name,
        bmcAddress: bmc.address,
        instanceName: changed.instanceName,
        parentNode: changed.parentNode,
      }));
    if (problem !== null) return { ok: false, problem };
    if (Object.keys(changed).length === 0 && !bmcChanged && !turns)
      return done({ value: { accepted: true as const }, changes: [] });
    const sealed =
      bmc.password == null ? bmc.password : secrets.seal(bmc.password, secretPlaces.bmcPassword(hostId));
    const place = {
      bmcAddress: bmc.address,
      bmcUsername: bmc.username,
      ...(sealed === undefined ? {} : { bmcPassword: sealed }),
    };
    const columns = hostColumns(hostId, fields);
    const record = recordColumns(fields);
    try {
      await tx.host.update({
        where: { id: hostId },
        data: { ...columns, ...place, updatedAt: new Date() },
        select: { id: true },
      });
      await tx.nodeRecord.upsert({ where: { hostId }, create: { hostId, ...record }, update: record });
    } catch (error) {
      if (isUniqueViolation(error))
        return refused("conflict", "Another node was given this name or address at the same moment.");
      throw error;
    }
    if (columns.name !== node.name)
      await tx.hostRun.update({ where: { hostId }, data: { name: columns.name } });
    if (turns)
      await writeMaintenance(
        tx,
        [hostId],
        maintenance ? { kind: "set", reason: `set by ${actor.name}` } : { kind: "end" },
      );
    // Whether it may become Ready rests on it: its handler looks again, and a decision that did not see it is not written.
    const retires = changed.retired !== undefined;
    if (retires)
      await execute(
        tx,
        sql`UPDATE host_run SET evidence_seq = evidence_seq + 1, wake_seq = wake_seq + 1, due_at = least(due_at, now()) WHERE host_id = ${hostId}::uuid`,
      );
    const rest = (address: string | null, on: boolean) => ({
      ...(bmcChanged ? { bmcAddress: address } : {}),
      ...(turns ? { maintenance: on } : {}),
    });
    const old = Object.fromEntries(
      Object.entries(before.fields).filter(([name]) => Object.hasOwn(changed, name)),
    );
    return done({
      value: { accepted: true as const },
      tell: { wake: turns || retires, feed: [{ hostId, tenantId: null, what: "settings" }] },
      changes: [
        {
          targetId: hostId,
          tenantId: null,
          before: auditFactsOf({ ...old, ...rest(before.bmc.address, node.maintenance) }),
          after: auditFactsOf({
            ...changed,
            ...rest(bmc.address, maintenance),
            ...(sealed === undefined ? {} : { passwordChanged: true }),
          }),
        },
      ],
    });
  },
});
