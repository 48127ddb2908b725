// Removes a node: at once if nothing is in progress, else by the controller, which ends what runs first.
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import { z } from "zod";
import type { Transaction } from "@/server/db/prisma";
import { emptyContext, runContext } from "@/server/domain/lifecycle/context";
import type { IntentActor } from "@/server/domain/lifecycle/signals";
import { deleteRefusal } from "@/server/domain/hosts/nodes/node-rules";
import type { DeleteRefusal } from "@/server/domain/hosts/nodes/node-rules";
import { acted, defineAct } from "@/server/usecases/define-act";
import { ask } from "@/server/usecases/hosts/acts/request-of-host";
import { lockNode } from "@/server/usecases/hosts/nodes/node-facts";
import type { LockedNode } from "@/server/usecases/hosts/nodes/node-facts";
import { done, refused } from "@/server/usecases/problem";

const codes = { protected: "forbidden", instance: "conflict", state: "conflict" } as const satisfies Record<
  DeleteRefusal["kind"],
  string
>;

const quietStates: ReadonlySet<string> = new Set(["Enroll", "Manageable", "Ready"]);

interface Work {
  readonly leased: boolean;
  readonly erasing: boolean;
  readonly context: unknown;
  readonly serial: string | null;
  readonly state_version: bigint;
}

/**
 * Leaves the same traces as the controller's own deletion: an erase that may continue in the chassis, the last line of history, and who deleted it.
 * Debts remain anyway.
 */
async function removeQuiet(
  tx: Transaction,
  { hostId }: LockedNode,
  { erasing, context, serial, state_version }: Work,
  by: IntentActor,
): Promise<void> {
  const { eraseUntil } =
    typeof context === "object" && context !== null && Object.keys(context).length > 0
      ? runContext.parse(context)
      : emptyContext();
  if (erasing && eraseUntil !== null && serial !== null) {
    await execute(
      tx,
      sql`INSERT INTO chassis_erase AS x (chassis_serial, erase_until) SELECT ${serial}, ${eraseUntil}::timestamptz WHERE ${eraseUntil}::timestamptz > now()
      ON CONFLICT (chassis_serial) DO UPDATE SET erase_until = greatest(x.erase_until, excluded.erase_until)`,
    );
  }
  await tx.stateHistory.create({
    data: {
      hostId,
      version: state_version + 1n,
      state: "ForceDeletion",
      reason: "deletion requested",
      generation: 0,
    },
  });
  await execute(
    tx,
    sql`UPDATE host_run SET context = context || jsonb_build_object('deletedBy', jsonb_build_object('personId', ${by.personId}::text, 'name', ${by.name}::text)) WHERE host_id = ${hostId}::uuid`,
  );
  await tx.signal.deleteMany({ where: { hostId } });
  await tx.host.delete({ where: { id: hostId } });
}

/** If `gone` is false, the controller was asked and removes the node at its next pass. */
export const removeNode = defineAct({
  action: "node.remove",
  right: "host.delete",
  input: z.strictObject({ hostId: z.guid("must be the id of a host") }),
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => lockNode(tx, hostId),
  run: async ({ tx, by }, node, { hostId }) => {
    const refusal = deleteRefusal(node);
    if (refusal !== null)
      return refused(codes[refusal.kind], `Node ${hostId} can not be deleted: ${refusal.message}.`);
    const [work] = await queryRows(
      tx,
      sql<Work>`
      SELECT r.lease_owner IS NOT NULL AND r.lease_until > now() AS leased, r.erasing, r.context, h.serial, r.state_version FROM host_run r JOIN host h ON h.id = r.host_id WHERE r.host_id = ${hostId}::uuid`,
    );
    const quiet =
      work !== undefined &&
      !work.leased &&
      quietStates.has(node.state) &&
      !node.intent.reclamationOpen &&
      !node.instanceOpen;
    if (!quiet) {
      const asked = ask(
        {
          ...node.intent,
          hostId,
          siteId: "",
          stateVersion: "",
          tenantId: null,
          instanceName: null,
          pending: [],
        },
        {
          signal: { kind: "forceDelete", payload: { by } },
          stateVersion: undefined,
        },
      );
      return asked.ok ? done({ ...asked.value, value: { gone: false } }) : asked;
    }
    await removeQuiet(tx, node, work, by);
    return acted({
      value: { gone: true },
      targetId: hostId,
      tenantId: null,
      before: { name: node.name, state: node.state },
      after: null,
      tell: { feed: [{ hostId, tenantId: null, what: "host" }] },
    });
  },
});
