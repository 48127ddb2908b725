// Which external repair systems may take hosts, each with one token (docs/repair.md#who-has-the-host).
import { formatCounted } from "@/server/domain/numbers";
import { sql } from "kysely";
import { leases as contract } from "@/server/contract/repair/leases";
import type { RepairSystem } from "@/server/contract/repair/lease-answers";
import { queryRows } from "@/server/db/sql";
import type { Transaction } from "@/server/db/prisma";
import { newToken, tokenHash } from "@/server/domain/access/tokens";
import {
  addingProgram,
  freshProgram,
  tokenReplaced,
  writeProgram,
} from "@/server/usecases/repair/external-systems";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { Target } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** Says what kind of token it is, if it turns up where it does not belong. */
const prefix = "rcr_";

export async function listSystems(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly RepairSystem[]>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  return done(
    await queryRows(
      database,
      sql<RepairSystem>`
      SELECT s.id::text, s.name, t.name AS site, s.created_at AS "createdAt", s.created_by AS "createdBy", s.last_used_at AS "lastUsedAt",
        coalesce(l.hosts, 0) AS hosts, coalesce(l.overdue, 0) AS overdue
      FROM repair_system s LEFT JOIN site t ON t.id = s.site_id
        LEFT JOIN (SELECT system_id, count(*)::int AS hosts, (count(*) FILTER (WHERE until < now()))::int AS overdue
          FROM repair_lease WHERE ended_at IS NULL GROUP BY system_id) l ON l.system_id = s.id
      ORDER BY s.name`,
    ),
  );
}

interface FoundSystem {
  readonly id: string;
  readonly hosts: number;
}

/** Locks the system, so that it takes no host while it is being removed. */
async function findSystem(tx: Transaction, name: string): Promise<Target<FoundSystem> | null> {
  const [row] = await queryRows(
    tx,
    sql<{ id: string }>`SELECT id::text FROM repair_system WHERE name = ${name} FOR UPDATE`,
  );
  if (row === undefined) return null;
  const hosts = await tx.repairLease.count({ where: { systemId: row.id, endedAt: null } });
  return { id: name, belongs: { tenantId: null }, value: { id: row.id, hosts } };
}

const names = ({ name }: { readonly name: string }) => ({ kind: "repair system", id: name });

export const addSystem = defineAct({
  ...contract.addSystem,
  ...addingProgram,
  run: async ({ tx, actor }, siteId, { name, site }) => {
    const { data, added } = freshProgram(prefix, { name, siteId, by: actor.name });
    const taken = await writeProgram(
      () => tx.repairSystem.create({ data }),
      `A repair system ${name} already exists.`,
    );
    return taken ?? added({ site });
  },
});

export const renewSystem = defineAct({
  ...contract.renewSystem,
  names,
  find: ({ tx }, { name }) => findSystem(tx, name),
  run: async ({ tx }, { id }, { name }) => {
    const token = `${prefix}${newToken()}`;
    await tx.repairSystem.update({ where: { id }, data: { hash: tokenHash(token) } });
    return done({
      value: { id, name, token },
      changes: tokenReplaced(name),
    });
  },
});

export const removeSystem = defineAct({
  ...contract.removeSystem,
  names,
  find: ({ tx }, { name }) => findSystem(tx, name),
  run: async ({ tx }, { id, hosts }, { name }) => {
    if (hosts > 0)
      return refused(
        "conflict",
        `The repair system ${name} has ${formatCounted(hosts, "host")}. Have them returned, or break their leases, first.`,
      );
    await tx.repairSystem.delete({ where: { id } });
    return acted({ value: { name }, targetId: name, tenantId: null, before: { hosts }, after: null });
  },
});
