// Changes a node's record. State and cleaning belong to the controller, which reads what it acts on (retired, BMC, maintenance) from the row.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import { z } from "zod";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { isUniqueViolation } from "@/server/db/transaction";
import { systemOfDriverInfo } from "@/server/domain/hardware/bmc-system";
import { nodeBmc, nodeFields } from "@/server/domain/hosts/nodes/node-values";
import type { NodeFields } from "@/server/domain/hosts/nodes/node-values";
import type { Transaction } from "@/server/db/prisma";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import type { Change } from "@/server/usecases/define-act";
import { writeMaintenance } from "@/server/usecases/hosts/maintenance/maintenance";
import {
  auditFactsOf,
  changedFields,
  hostColumns,
  recordColumns,
} from "@/server/usecases/hosts/nodes/node-columns";
import { lockNode } from "@/server/usecases/hosts/nodes/node-facts";
import type { LockedNode } from "@/server/usecases/hosts/nodes/node-facts";
import { readRecord } from "@/server/usecases/hosts/nodes/read-record";
import type { StoredNode } from "@/server/usecases/hosts/nodes/read-record";
import { refusedByOne, refusedField } from "@/server/usecases/hosts/nodes/refused-fields";
import { taken } from "@/server/usecases/hosts/nodes/taken";
import { refused } from "@/server/usecases/problem";
import { fakeStands, stateRefusal } from "@/server/usecases/hosts/nodes/update-refusals";

export const updateNodeInput = z.strictObject({
  hostId: z.guid("must be the id of a host"),
  /** When the record that the change is based on was last changed, in ms; null if never. */
  seenMs: z.number().nullable(),
  /** The complete new fields. */
  fields: nodeFields,
  bmc: nodeBmc,
  maintenance: z.boolean(),
});

/** If the record was changed meanwhile, `conflict` on the field `seenMs`: read it again and retry. */
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
      (await refusedByOne(tx, before.siteId, fields, before.fields)) ??
      (await taken(tx, hostId, {
        name: changed.name,
        bmcAddress: bmc.address,
        bmcSystem: systemOfDriverInfo(fields.driverInfo),
        instanceName: changed.instanceName,
        parentNode: changed.parentNode,
      }));
    if (problem !== null) return { ok: false, problem };
    const value = { accepted: true as const };
    if (isSame(turn)) return unchanged(value);
    const password =
      bmc.password == null ? bmc.password : secrets.seal(bmc.password, secretPlaces.bmcPassword(hostId));
    const ownCredentials = bmc.password !== undefined || bmc.username !== before.bmc.username;
    if (!(await writeRecord(tx, node, input, { password, ownCredentials })))
      return refused("conflict", "Another node was given this name or address at the same time.");
    if (turn.maintenance)
      await writeMaintenance(
        tx,
        [hostId],
        maintenance
          ? { kind: "set", reason: `set by ${actor.name}`, personId: actor.personId }
          : { kind: "end" },
      );
    if (turn.retires) await lookAgain(tx, hostId);
    return acted({
      value,
      targetId: hostId,
      tenantId: null,
      ...auditOf(before, node, input, turn),
      tell: {
        wake: turn.maintenance || turn.retires,
        feed: [{ hostId, tenantId: null, what: "settings" }],
      },
    });
  },
});

type Input = z.infer<typeof updateNodeInput>;

/** What is to change. */
interface Turn {
  readonly changed: Partial<NodeFields>;
  readonly bmc: boolean;
  readonly maintenance: boolean;
  /** Whether retirement changes, and with it whether the node may be allocated. */
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
  /** Encrypted; undefined leaves it unchanged. */
  readonly password: ReturnType<SecretBox["seal"]> | null | undefined;
  readonly ownCredentials: boolean;
}

/** False if another node took its name or address since the check. */
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
    // Credentials of its own, even just one of the two, replace the site's set, which would otherwise overwrite them.
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

/** The change may decide whether the host can become Ready: its handler is woken, and a decision that did not see the change is not written. */
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
