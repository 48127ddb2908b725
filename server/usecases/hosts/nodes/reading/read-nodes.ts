// Reads nodes: one statement for a list, with only the columns that its fields need, and one for a single node.
import { createHash } from "node:crypto";
import type { HotPool } from "@/server/usecases/backend";
import type { NodeIdent } from "@/server/usecases/hosts/nodes/reading/find-node";
import { columnsOf, fromOf, pendingOf, wordFrom } from "@/server/usecases/hosts/nodes/reading/node-columns";
import type { NodeRow, Part } from "@/server/usecases/hosts/nodes/reading/node-columns";
import { conditionsOf, nodeSorts } from "@/server/usecases/hosts/nodes/reading/node-filter";
import type { NodeFilter, NodeSortKey } from "@/server/usecases/hosts/nodes/reading/node-filter";
import { provisionOf, provisionTable } from "@/server/usecases/hosts/nodes/reading/node-text";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import type { FleetScope } from "@/server/domain/access/access";

export interface NodeOrder {
  readonly key: NodeSortKey;
  readonly descending: boolean;
}

export interface NodeQuery {
  readonly filter: NodeFilter;
  readonly order: NodeOrder;
  readonly limit: number;
  /** UUID of the last node of the previous page. */
  readonly marker: string | undefined;
}

/** Beyond this number, statements are sent without a name and so are not prepared. */
const maxPrepared = 200;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxPrepared) return known;
  const name = `ironic_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`;
  names.set(text, name);
  return name;
}

async function run(pool: HotPool, text: string, values: unknown[]): Promise<NodeRow[]> {
  const name = nameOf(text);
  return (await pool.query<NodeRow>({ text, values, ...(name === undefined ? {} : { name }) })).rows;
}

const select = (parts: ReadonlySet<Part>, pending: string): string =>
  [pending, ...[...parts].map((part) => columnsOf[part])].join(", ");

const enrolled = nodeSorts.enrolled;

/** Rows after the marker, whose sort value and id are `m`. Nulls come last in either direction, and the id breaks ties. */
const afterMarker = (sort: string, sign: "<" | ">"): string =>
  sort === enrolled
    ? `(${sort}, h.id) ${sign} ((SELECT key FROM m), (SELECT id FROM m))`
    : `EXISTS (SELECT 1 FROM m WHERE (m.key IS NOT NULL AND (${sort} ${sign} m.key OR ${sort} IS NULL)) OR (${sort} IS NOT DISTINCT FROM m.key AND h.id ${sign} m.id))`;

/** At most `limit` nodes after the marker. `notFound` for a marker that is no node. */
export async function listNodes(
  pool: HotPool,
  _scope: FleetScope,
  parts: ReadonlySet<Part>,
  query: NodeQuery,
): Promise<Outcome<readonly NodeRow[]>> {
  const wordWanted = query.filter.provisionState;
  const found: NodeRow[] = [];
  let { marker } = query;
  // Repeats only if rows are dropped because of a pending signal.
  for (;;) {
    const rows = await readPage(pool, parts, { ...query, marker });
    // An empty page may mean the end of the list, or an unknown marker.
    if (rows.length === 0 && marker !== undefined && !(await isNode(pool, marker)))
      return notFound("node", marker);
    found.push(
      ...(wordWanted === undefined ? rows : rows.filter((row) => provisionOf(row).state === wordWanted)),
    );
    const last = rows.at(-1);
    if (found.length >= query.limit || rows.length < query.limit || last === undefined)
      return done(found.slice(0, query.limit));
    marker = last.id;
  }
}

async function readPage(
  pool: HotPool,
  parts: ReadonlySet<Part>,
  { filter, order, limit, marker }: NodeQuery,
): Promise<NodeRow[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const { all, needsRecord } = conditionsOf(filter, bind);
  const sort = nodeSorts[order.key];
  const withRecord = needsRecord || sort.startsWith("n.");
  const withText = filter.provisionState !== undefined || order.key === "provision";
  const table = withText ? ` ${wordFrom(bind(provisionTable))}` : "";
  const direction = order.descending ? "DESC" : "ASC";
  let before = "";
  if (marker !== undefined) {
    before = `WITH m AS (SELECT ${sort} AS key, h.id FROM ${fromOf(onlyList, withRecord)}${table} WHERE h.id = ${bind(marker)}) `;
    all.push(afterMarker(sort, order.descending ? "<" : ">"));
  }
  const where = all.length === 0 ? "true" : all.join(" AND ");
  const text = `${before}SELECT ${select(parts, pendingOf.many)} FROM ${fromOf(parts, withRecord)}${table} WHERE ${where} ORDER BY ${sort} ${direction}${sort === enrolled ? "" : " NULLS LAST"}, h.id ${direction} LIMIT ${bind(limit)}`;
  return run(pool, text, values);
}

const onlyList: ReadonlySet<Part> = new Set<Part>(["list"]);

const isNode = async (pool: HotPool, marker: string): Promise<boolean> =>
  (await run(pool, "SELECT id FROM host h WHERE h.id = $1", [marker])).length > 0;

/** One node by UUID or name. Null if there is none. */
export async function readNode(
  pool: HotPool,
  parts: ReadonlySet<Part>,
  { kind, text }: NodeIdent,
): Promise<NodeRow | null> {
  const column = kind === "uuid" ? "h.id" : "h.name";
  const [row] = await run(
    pool,
    `SELECT ${select(parts, pendingOf.one)} FROM ${fromOf(parts, false)} WHERE ${column} = $1`,
    [text],
  );
  return row ?? null;
}
