// The palette: hosts and instances by a part of their name, serial or id; a tenant finds its own instances only.
import { sql } from "kysely";
import { containing, startingWith } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { stateTable } from "@/server/domain/lifecycle/state-table";
import { isState } from "@/server/domain/lifecycle/states";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { listInstances } from "@/server/usecases/instances/list-instances";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { SearchAnswer } from "@/server/contract/answers/search";

const most = 8;

async function findHosts({ database }: Backend, text: string): Promise<SearchAnswer["hosts"]> {
  const rows = await queryRows(
    database,
    sql<{ id: string; name: string; state: string; serial: string | null; model: string | null }>`
    SELECT r.host_id::text AS id, r.name, r.state, h.serial, h.model FROM host_run r JOIN host h ON h.id = r.host_id
    WHERE r.name ILIKE ${containing(text)} OR h.serial ILIKE ${containing(text)}
    ORDER BY (r.name ILIKE ${startingWith(text)}) DESC, r.name LIMIT ${most}`,
  );
  return rows.flatMap(({ id, name, state, serial, model }) =>
    isState(state)
      ? [
          {
            id,
            name,
            state,
            tone: stateTable[state].tone,
            words: [stateTable[state].label, model, serial].filter((part) => part !== null).join(", "),
          },
        ]
      : [],
  );
}

export async function searchAll(
  backend: Backend,
  actor: Actor,
  query: { readonly text: string },
): Promise<Outcome<SearchAnswer>> {
  const scope = scopeOf(actor, "search");
  if (!scope.ok) return scope;
  const text = query.text.trim().slice(0, 100);
  if (text === "") return done({ hosts: [], instances: [] });
  const [hosts, instances] = await Promise.all([
    reachOf(actor.role, "host.read") === "any" ? findHosts(backend, text) : [],
    listInstances(backend, actor, { text, status: "all", cursor: null, limit: most }),
  ]);
  if (!instances.ok) return instances;
  return done({
    hosts,
    instances: instances.value.rows.map(({ id, name, status, tenantName, host, hostWords }) => ({
      id,
      name,
      hostName: host?.name ?? null,
      words: [status, host === null ? hostWords : tenantName].filter((part) => part !== null).join(", "),
    })),
  });
}
