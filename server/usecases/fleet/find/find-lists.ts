// Lists of hosts that a text names: views and states by their words; SKUs, sites, models, images and labels by part of their names.
import { sql } from "kysely";
import { containing } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { isTyped } from "@/server/domain/console/typed";
import { filterOf } from "@/server/domain/hosts/host-filter";
import type { FilterKey } from "@/server/domain/hosts/host-filter";
import { hostSetNames, hostSets } from "@/server/domain/hosts/host-groups";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { groupCounts, readHostCounts } from "@/server/usecases/fleet/host-counts";
import type { FoundList } from "@/server/contract/fleet/search-answers";

type Lists = readonly FoundList[];

/** Most of each kind. */
const most = 4;
const fewest = 3;

/** Sets of states, and the single states in which there are hosts. */
async function ofStates(database: Database, text: string): Promise<Lists> {
  const { states } = await readHostCounts(database);
  const groups = groupCounts(states);
  const sets = hostSetNames
    .filter((name) => isTyped(text, hostSets[name].words))
    .map((name) => ({
      words: hostSets[name].words,
      filter: `is:${name}`,
      hosts: hostSets[name].groups.reduce((sum, group) => sum + groups[group], 0),
    }));
  const counts = new Map<string, { readonly words: string; hosts: number }>();
  for (const { state, hosts } of states) {
    const { label } = describeState(state);
    if (!isTyped(text, `${label} ${state}`)) continue;
    const known = counts.get(state) ?? { words: label, hosts: 0 };
    counts.set(state, { ...known, hosts: known.hosts + hosts });
  }
  const single = [...counts]
    .map(([state, { words, hosts }]) => ({ words, hosts, filter: filterOf("state", state) }))
    .toSorted((a, b) => b.hosts - a.hosts);
  return [...sets.slice(0, most), ...single.slice(0, most)];
}

const nouns = {
  site: "Site",
  sku: "SKU",
  image: "Agent image",
  model: "Model",
  label: "Label",
} as const satisfies Partial<Record<FilterKey, string>>;

/** What hosts have in common, by part of its name. */
async function ofNames(database: Database, text: string): Promise<Lists> {
  const like = containing(text);
  const rows = await queryRows(
    database,
    sql<{ key: keyof typeof nouns; name: string; hosts: number }>`
      (SELECT 'site' AS key, s.name, count(r.host_id)::int AS hosts FROM site s LEFT JOIN host_run r ON r.site_id = s.id
        WHERE s.name ILIKE ${like} GROUP BY s.name ORDER BY s.name LIMIT ${most})
      UNION ALL (SELECT 'sku', k.name, count(h.id)::int FROM sku k LEFT JOIN host h ON h.sku_id = k.id
        WHERE k.name ILIKE ${like} GROUP BY k.name ORDER BY k.name LIMIT ${most})
      UNION ALL (SELECT 'model', h.model, count(*)::int FROM host h JOIN host_run r ON r.host_id = h.id
        WHERE h.model ILIKE ${like} GROUP BY h.model ORDER BY 3 DESC, 2 LIMIT ${most})
      UNION ALL (SELECT 'image', i.version, count(DISTINCT r.host_id)::int FROM agent_image i
        LEFT JOIN boot_window w ON w.image_id = i.id LEFT JOIN host_run r ON r.host_id = w.host_id AND r.boot_epoch = w.boot_epoch
        WHERE i.version ILIKE ${like} GROUP BY i.version ORDER BY 2 LIMIT ${most})
      UNION ALL (SELECT 'label', l.key || '=' || l.value, count(*)::int FROM host h JOIN host_run r ON r.host_id = h.id, jsonb_each_text(h.labels) l
        WHERE h.labels <> '{}' AND l.key || '=' || l.value ILIKE ${like} GROUP BY 2 ORDER BY 3 DESC, 2 LIMIT ${most})`,
  );
  return rows.map(({ key, name, hosts }) => ({
    words: `${nouns[key]} ${name}`,
    hosts,
    filter: filterOf(key, name),
  }));
}

/** For people who may list hosts. */
export async function findLists(database: Database, text: string): Promise<Lists> {
  const [states, names] = await Promise.all([
    ofStates(database, text),
    text.length < fewest ? [] : ofNames(database, text),
  ]);
  return [...states, ...names];
}
