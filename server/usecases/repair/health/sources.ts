// Which sources may report health over HTTP, each with one token that is bound to its name (docs/repair.md#sources).
import { sql } from "kysely";
import { health as contract } from "@/server/contract/repair/health";
import type { HealthSource } from "@/server/contract/repair/health-answers";
import { queryRows } from "@/server/db/sql";
import { newToken, tokenHash } from "@/server/domain/access/tokens";
import { reservedSources } from "@/server/domain/repair/health/templates";
import {
  addingProgram,
  freshProgram,
  tokenReplaced,
  writeProgram,
} from "@/server/usecases/repair/external-systems";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { ActContext } from "@/server/usecases/define-act";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** Says what kind of token it is, if it turns up where it does not belong. */
const prefix = "rch_";

export async function listSources(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly HealthSource[]>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  return done(
    await queryRows(
      database,
      sql<HealthSource>`
      SELECT s.id::text, s.name, t.name AS site, s.heartbeat_seconds AS "heartbeatSeconds", s.created_at AS "createdAt", s.created_by AS "createdBy",
        s.last_used_at AS "lastUsedAt", coalesce(h.hosts, 0) AS hosts, coalesce(h.silent, 0) AS silent
      FROM health_source s LEFT JOIN site t ON t.id = s.site_id
        LEFT JOIN (SELECT source, count(*)::int AS hosts, (count(*) FILTER (WHERE silent_since IS NOT NULL))::int AS silent FROM health_report GROUP BY source) h
          ON h.source = s.name
      ORDER BY s.name`,
    ),
  );
}

export const addSource = defineAct({
  ...contract.addSource,
  ...addingProgram,
  run: async ({ tx, actor }, siteId, { name, site, heartbeatSeconds }) => {
    // safety: health: no token writes what people and Reclaim write
    if (reservedSources.has(name))
      return refused("invalid", `${name} is reserved for a template: choose another name.`, "name");
    const { data, added } = freshProgram(prefix, { name, siteId, by: actor.name });
    const taken = await writeProgram(
      () => tx.healthSource.create({ data: { ...data, heartbeatSeconds } }),
      `A source ${name} already exists: remove it first.`,
    );
    return taken ?? added({ site, heartbeatSeconds });
  },
});

const onSource = {
  names: ({ name }: { readonly name: string }) => ({ kind: "health source", id: name }),
  find: async ({ tx }: ActContext, { name }: { readonly name: string }) => {
    const source = await tx.healthSource.findUnique({
      where: { name },
      select: { id: true, heartbeatSeconds: true },
    });
    return source === null ? null : { id: name, belongs: { tenantId: null }, value: source };
  },
};

export const replaceSourceToken = defineAct({
  ...contract.replaceToken,
  ...onSource,
  run: async ({ tx }, { id }, { name }) => {
    const token = `${prefix}${newToken()}`;
    const { count } = await tx.healthSource.updateMany({ where: { id }, data: { hash: tokenHash(token) } });
    if (count === 0) return notFound("health source", name);
    return done({
      value: { name, token },
      changes: tokenReplaced(name),
    });
  },
});

export const removeSource = defineAct({
  ...contract.removeSource,
  ...onSource,
  run: async ({ tx }, { id, heartbeatSeconds }, { name }) => {
    const { count } = await tx.healthSource.deleteMany({ where: { id } });
    if (count === 0) return notFound("health source", name);
    return acted({
      value: { name },
      targetId: name,
      tenantId: null,
      before: { heartbeatSeconds },
      after: null,
    });
  },
});
