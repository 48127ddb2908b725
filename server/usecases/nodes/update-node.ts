// Changes a node's record. State and cleaning are the controller's; what it acts on here (retired, BMC, maintenance) it reads from the row itself.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import { z } from "zod";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { isUniqueViolation } from "@/server/db/transaction";
import { systemOfDriverInfo } from "@/server/domain/hardware/bmc-system";
import { nodeBmc, nodeFields } from "@/server/domain/nodes/node-values";
import type { NodeFields } from "@/server/domain/nodes/node-values";
import type { Transaction } from "@/server/db/prisma";
import { defineAct } from "@/server/usecases/define-act";
import type { Change } from "@/server/usecases/define-act";
import { writeMaintenance } from "@/server/usecases/hosts/maintenance/maintenance";
import {
  auditFactsOf,
  changedFields,
  hostColumns,
  recordColumns,
} from "@/server/usecases/nodes/node-columns";
import { lockNode } from "@/server/usecases/nodes/node-facts";
import type { LockedNode } from "@/server/usecases/nodes/node-facts";
import { readRecord } from "@/server/usecases/nodes/read-record";
import type { StoredNode } from "@/server/usecases/nodes/read-record";
import { refusedField } from "@/server/usecases/nodes/refused-fields";
import { taken } from "@/server/usecases/nodes/taken";
import { done, refused } from "@/server/usecases/problem";
import { fakeStands, stateRefusal } from "@/server/usecases/nodes/update-refusals";

export const updateNodeInput = z.strictObject({
  hostId: z.guid("must be the id of a host"),
  /** When the record that the change was made from was last changed, in ms; null: never. */
  seenMs: z.number().nullable(),
  /** As all of it is to be. */
  fields: nodeFields,
  bmc: nodeBmc,
  maintenance: z.boolean(),
});

/** A record that was changed meanwhile is `conflict` on the field `seenMs`: read again and repeat. */
export const updateNode = defineAct({
  action: "node.update",
  right: "host.edit",
  input: updateNodeInput,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => lockNode(tx, hostId),
  run: async ({ tx, secrets, actor }, node, input) => {
    const { hostId, seenMs, fields, bmc, maintenance } = input;
    if (node.updatedMs !== seenMs)
      return refused("conflict", "The node was changed by somebody else at the same time.", "seenMs");
    const before = await readRecord(tx, hostId);
    if (before === null) throw new Error(`host ${hostId} is locked and has no record`);
    const turn = turnOf(before, node, input);
    const { changed } = turn;
    const problem =
      stateRefusal(node, { changed, bmc }) ??
      fakeStands(before.fields, changed) ??
      refusedField(actor, fields, before.fields) ??
      (await taken(tx, hostId, {
        name: changed.name,
        bmcAddress: bmc.address,
        bmcSystem: systemOfDriverInfo(fields.driverInfo),
        instanceName: changed.instanceName,
        parentNode: changed.parentNode,
      }));
    if (problem !== null) return { ok: false, problem };
    const value = { accepted: true as const };
    if (isSame(turn)) return done({ value, changes: [] });
    const password =
      bmc.password == null ? bmc.password : secrets.seal(bmc.password, secretPlaces.bmcPassword(hostId));
    const ownCredentials = bmc.password !== undefined || bmc.username !== before.bmc.username;
    if (!(await writeRecord(tx, node, input, { password, ownCredentials })))
      return refused("conflict", "Another node was given this name or address at the same time.");
    if (turn.maintenance)
      await writeMaintenance(
        tx,
        [hostId],
        maintenance ? { kind: "set", reason: `set by ${actor.name}` } : { kind: "end" },
      );
    if (turn.retires) await lookAgain(tx, hostId);
    return done({
      value,
      tell: {
        wake: turn.maintenance || turn.retires,
        feed: [{ hostId, tenantId: null, what: "settings" }],
      },
      changes: [{ targetId: hostId, tenantId: null, ...auditOf(before, node, input, turn) }],
    });
  },
});

type Input = z.infer<typeof updateNodeInput>;

/** What is to be another than it was. */
interface Turn {
  readonly changed: Partial<NodeFields>;
  readonly bmc: boolean;
  readonly maintenance: boolean;
  /** Whether it may be allocated again. */
  readonly retires: boolean;
}

function turnOf(before: StoredNode, node: LockedNode, { fields, bmc, maintenance }: Input): Turn {
  const changed = changedFields(before.fields, fields);
  return {
    changed,
    bmc:
      bmc.address !== before.bmc.address ||
      bmc.username !== before.bmc.username ||
      bmc.password !== undefined,
    maintenance: maintenance !== node.maintenance,
    retires: changed.retired !== undefined,
  };
}

const isSame = ({ changed, bmc, maintenance }: Turn): boolean =>
  Object.keys(changed).length === 0 && !bmc && !maintenance;

interface Credentials {
  /** Sealed; undefined leaves it. */
  readonly password: ReturnType<SecretBox["seal"]> | null | undefined;
  readonly ownCredentials: boolean;
}

/** False: its name or address is another node's since it was checked. */
async function writeRecord(
  tx: Transaction,
  node: LockedNode,
  { hostId, fields, bmc }: Input,
  { password, ownCredentials }: Credentials,
): Promise<boolean> {
  const columns = {
    ...hostColumns(hostId, fields),
    bmcAddress: bmc.address,
    bmcUsername: bmc.username,
    // Credentials of its own, even one of the two, take the place of its site's set, which would write over them.
    ...(ownCredentials ? { bmcCredentialId: null } : {}),
    ...(password === undefined ? {} : { bmcPassword: password }),
  };
  const record = recordColumns(fields);
  try {
    await tx.host.update({
      where: { id: hostId },
      data: { ...columns, updatedAt: new Date() },
      select: { id: true },
    });
    await tx.nodeRecord.upsert({ where: { hostId }, create: { hostId, ...record }, update: record });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
  if (columns.name !== node.name)
    await tx.hostRun.update({ where: { hostId }, data: { name: columns.name } });
  return true;
}

/** Whether it may become Ready rests on what was changed: its handler looks again, and a decision that did not see it is not written. */
const lookAgain = (tx: Transaction, hostId: string) =>
  execute(
    tx,
    sql`UPDATE host_run SET evidence_seq = evidence_seq + 1, wake_seq = wake_seq + 1, due_at = least(due_at, now()) WHERE host_id = ${hostId}::uuid`,
  );

function auditOf(
  before: StoredNode,
  node: LockedNode,
  { bmc, maintenance }: Input,
  turn: Turn,
): Pick<Change, "before" | "after"> {
  const rest = (address: string | null, on: boolean) => ({
    ...(turn.bmc ? { bmcAddress: address } : {}),
    ...(turn.maintenance ? { maintenance: on } : {}),
  });
  const old = Object.fromEntries(
    Object.entries(before.fields).filter(([name]) => Object.hasOwn(turn.changed, name)),
  );
  return {
    before: auditFactsOf({ ...old, ...rest(before.bmc.address, node.maintenance) }),
    after: auditFactsOf({
      ...turn.changed,
      ...rest(bmc.address, maintenance),
      ...(bmc.password === undefined ? {} : { passwordChanged: true }),
    }),
  };
}
