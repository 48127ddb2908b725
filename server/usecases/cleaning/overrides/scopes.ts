// What can be selected on the cleaning pages: sites, SKUs, hardware types and traits, each with its number of hosts.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { CleaningScopes } from "@/server/contract/cleaning/cleaning-answers";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export async function readScopes({ database }: Backend, actor: Actor): Promise<Outcome<CleaningScopes>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const [sites, skus, types, traits] = await Promise.all([
    queryRows(
      database,
      sql<{ id: string; name: string; hosts: number; body: unknown; version: number }>`
      SELECT s.id::text, s.name, s.policy_version AS version, p.body, (SELECT count(*)::int FROM host h WHERE h.site_id = s.id) AS hosts
      FROM site s JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version ORDER BY s.name`,
    ),
    queryRows(
      database,
      sql<{
        id: string;
        name: string;
        hosts: number;
      }>`SELECT k.id::text, k.name, (SELECT count(*)::int FROM host h WHERE h.sku_id = k.id) AS hosts FROM sku k ORDER BY k.name`,
    ),
    queryRows(
      database,
      sql<{
        name: string;
        hosts: number;
      }>`SELECT hardware_type AS name, count(*)::int AS hosts FROM host GROUP BY hardware_type ORDER BY hardware_type`,
    ),
    queryRows(
      database,
      sql<{
        trait: string;
      }>`SELECT unnest(traits) AS trait FROM host UNION SELECT unnest(traits) FROM runbook ORDER BY trait`,
    ),
  ]);
  const may = (right: Parameters<typeof reachOf>[1]): boolean => reachOf(actor.role, right) === "any";
  return done({
    sites: sites.map(({ body, version, ...site }) => ({
      ...site,
      automatedClean: storedPolicy.parse(body).automatedClean,
      policyVersion: version,
    })),
    skus,
    hardwareTypes: types,
    traits: traits.map(({ trait }) => trait),
    mayOverride: may("cleaning.override"),
    mayWriteRunbooks: may("runbook.write"),
    mayClean: may("host.clean"),
  });
}
