// The names that a filter of hosts may use, for completion.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { FilterValues } from "@/server/contract/hosts/host-views";
import type { storedFilterKeys } from "@/server/domain/hosts/completion/filter-completion";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** Per key. With more, people type the rest. */
const most = 500;

export async function readFilterValues({ database }: Backend, actor: Actor): Promise<Outcome<FilterValues>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const rows = await queryRows(
    database,
    sql<{ key: string; name: string }>`
      (SELECT 'site' AS key, name FROM site ORDER BY name LIMIT ${most})
      UNION ALL (SELECT 'sku', name FROM sku ORDER BY name LIMIT ${most})
      UNION ALL (SELECT 'tenant', org FROM tenant ORDER BY org LIMIT ${most})
      UNION ALL (SELECT DISTINCT 'image', version FROM agent_image ORDER BY 2 LIMIT ${most})
      UNION ALL (SELECT 'alert', name FROM alert_name ORDER BY name LIMIT ${most})
      UNION ALL (SELECT DISTINCT 'rack', rack FROM host WHERE rack IS NOT NULL ORDER BY 2 LIMIT ${most})
      UNION ALL (SELECT DISTINCT 'segment', network_segment FROM host WHERE network_segment IS NOT NULL ORDER BY 2 LIMIT ${most})
      UNION ALL (SELECT DISTINCT 'domain', power_domain FROM host WHERE power_domain IS NOT NULL ORDER BY 2 LIMIT ${most})`,
  );
  const namesOf = (key: (typeof storedFilterKeys)[number]) =>
    rows.filter((row) => row.key === key).map(({ name }) => name);
  return done({
    site: namesOf("site"),
    rack: namesOf("rack"),
    segment: namesOf("segment"),
    domain: namesOf("domain"),
    sku: namesOf("sku"),
    tenant: namesOf("tenant"),
    image: namesOf("image"),
    alert: namesOf("alert"),
  });
}
