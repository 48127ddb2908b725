// The racks of the fleet, with the states of their hosts.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { FleetRacks } from "@/server/contract/fleet/fleet-answers";
import { hostGroup } from "@/server/domain/hosts/host-groups";
import type { HostGroup } from "@/server/domain/hosts/host-groups";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { storedState } from "@/server/domain/lifecycle/states";
import { ofHosts } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { partRead } from "@/server/usecases/fleet/read-part";
import { perDatabase } from "@/server/usecases/timed-cache";

const cacheOf = perDatabase<FleetRacks>("fleetRacks", { ttlMs: 5_000, max: 50 });

/** With more hosts, racks show only numbers: nobody finds one square among thousands. */
const maxShown = 2_000;

interface RackHost {
  readonly site: string;
  readonly rack: string | null;
  readonly slot: string | null;
  readonly name: string;
  readonly state: string;
  readonly passed: boolean;
}

type Rack = FleetRacks["racks"][number];

const byNumber = new Intl.Collator("en", { numeric: true });
const none = { ready: 0, provider: 0, working: 0, waiting: 0, overLimit: 0, failed: 0, inUse: 0 };

/** By site and rack in natural order; hosts without a rack last. Pure. */
export function racksOf(rows: readonly RackHost[]): readonly Rack[] {
  const racks = new Map<string, { site: string; rack: string | null; hosts: Rack["hosts"][number][] }>();
  for (const { site, rack, slot, name, passed, ...row } of rows) {
    const state = storedState(row.state);
    const key = JSON.stringify([site, rack]);
    const known = racks.get(key) ?? { site, rack, hosts: [] };
    known.hosts.push({ name, slot, label: describeState(state).label, group: hostGroup(state, passed) });
    racks.set(key, known);
  }
  return [...racks.values()]
    .map(({ hosts, ...where }) => ({
      ...where,
      counts: hosts.reduce<Record<HostGroup, number>>(
        (counts, { group }) => ({ ...counts, [group]: counts[group] + 1 }),
        none,
      ),
      hosts: hosts.toSorted(
        (a, b) => byNumber.compare(a.slot ?? "~", b.slot ?? "~") || byNumber.compare(a.name, b.name),
      ),
    }))
    .sort(
      (a, b) =>
        byNumber.compare(a.site, b.site) ||
        Number(a.rack === null) - Number(b.rack === null) ||
        byNumber.compare(a.rack ?? "", b.rack ?? ""),
    );
}

async function readRacks(database: Database, scope: FleetScope): Promise<FleetRacks> {
  const rows = await queryRows(
    database,
    sql<RackHost>`
    SELECT t.name AS site, h.rack, h.slot, r.name, r.state, coalesce(r.limit_at < now(), false) AS passed
    FROM host_run r JOIN host h ON h.id = r.host_id JOIN site t ON t.id = r.site_id WHERE ${ofHosts(scope)}`,
  );
  const racks = racksOf(rows);
  const shown = rows.length <= maxShown ? racks : racks.map((rack) => ({ ...rack, hosts: [] }));
  return { racks: shown, hosts: rows.length };
}

export const fleetRacks = partRead({ cacheOf, read: readRacks });
