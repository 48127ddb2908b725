// Reads nodes: one statement for a list, which asks for no more columns than its fields need, and one for a single node.
import { createHash } from "node:crypto";
import type { Pool } from "pg";
import {
  columnsOf,
  fromOf,
  pendingOf,
  wordFrom,
  type NodeRow,
  type Part,
} from "@/server/surfaces/machine/ironic/nodes/node-columns";
import { fieldsByName } from "@/server/surfaces/machine/ironic/nodes/node-fields";
import { applyFilters, type Conditions } from "@/server/surfaces/machine/ironic/nodes/node-filters";
import { provisionOf, provisionTable } from "@/server/surfaces/machine/ironic/nodes/node-words";
import { noNode, type NodeIdent } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { selectFields, type Wanted } from "@/server/surfaces/machine/ironic/nodes/node-selection";
import type { IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import type { Query } from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

export interface NodeOrder {
  /** A field's name, null: in the order in which the nodes were enrolled. */
  readonly key: string | null;
  readonly descending: boolean;
}

export interface NodePage {
  readonly query: Query;
  readonly version: Microversion;
  readonly order: NodeOrder;
  readonly limit: number;
  /** The UUID of the last node of the page before. */
  readonly marker: string | undefined;
}

/** Texts beyond this number are sent without a name, and so are not kept prepared. */
const mostPrepared = 200;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostPrepared) return known;
  const name = `ironic_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`;
  names.set(text, name);
  return name;
}

async function run(pool: Pool, text: string, values: unknown[]): Promise<NodeRow[]> {
  const name = nameOf(text);
  return (await pool.query<NodeRow>({ text, values, ...(name === undefined ? {} : { name }) })).rows;
}

const select = (parts: ReadonlySet<Part>, pending: string): string =>
  [pending, ...[...parts].map((part) => columnsOf[part])].join(", ");

/** Enrolment, oldest first: where a list names no order. */
const enrolled = "h.created_at";

const sortOf = ({ key }: NodeOrder): string => {
  const sort = key === null ? enrolled : (fieldsByName.get(key)?.sort ?? null);
  if (sort === null) throw new Error(`${key ?? ""} is no sort key`);
  return sort;
};

/** Rows after the marker's, whose sort value and id are `m`. Nulls come last in either direction, and the id decides among equals. */
const afterMarker = (sort: string, sign: "<" | ">"): string =>
  sort === enrolled
    ? `(${sort}, h.id) ${sign} ((SELECT key FROM m), (SELECT id FROM m))`
    : `EXISTS (SELECT 1 FROM m WHERE (m.key IS NOT NULL AND (${sort} ${sign} m.key OR ${sort} IS NULL)) OR (${sort} IS NOT DISTINCT FROM m.key AND h.id ${sign} m.id))`;

/** Up to `limit` nodes after the marker. Throws 404 for a marker that is no node. */
export async function readNodes(
  pool: Pool,
  parts: ReadonlySet<Part>,
  page: NodePage,
): Promise<readonly NodeRow[]> {
  const wordWanted = page.query.get("provision_state");
  const found: NodeRow[] = [];
  let marker = page.marker;
  // More than one round only where rows fall away because of a signal that waits.
  for (;;) {
    const rows = await readPage(pool, parts, { ...page, marker });
    found.push(
      ...(wordWanted === undefined ? rows : rows.filter((row) => provisionOf(row).state === wordWanted)),
    );
    const last = rows.at(-1);
    if (found.length >= page.limit || rows.length < page.limit || last === undefined)
      return found.slice(0, page.limit);
    marker = last.id;
  }
}

async function readPage(
  pool: Pool,
  parts: ReadonlySet<Part>,
  { query, version, order, limit, marker }: NodePage,
): Promise<NodeRow[]> {
  const values: unknown[] = [];
  const conditions: Conditions = { all: [], needsRecord: false, bind: (value) => `$${values.push(value)}` };
  applyFilters(query, version, conditions);
  const sort = sortOf(order);
  const withWords = query.has("provision_state") || order.key === "provision_state";
  const withRecord = conditions.needsRecord || sort.startsWith("n.");
  const table = withWords ? ` ${wordFrom(conditions.bind(provisionTable))}` : "";
  const direction = order.descending ? "DESC" : "ASC";
  let before = "";
  if (marker !== undefined) {
    before = `WITH m AS (SELECT ${sort} AS key, h.id FROM ${fromOf(onlyList, withRecord)}${table} WHERE h.id = ${conditions.bind(marker)}) `;
    conditions.all.push(afterMarker(sort, order.descending ? "<" : ">"));
  }
  const where = conditions.all.length === 0 ? "true" : conditions.all.join(" AND ");
  const text = `${before}SELECT ${select(parts, pendingOf.many)} FROM ${fromOf(parts, withRecord)}${table} WHERE ${where} ORDER BY ${sort} ${direction}${sort === enrolled ? "" : " NULLS LAST"}, h.id ${direction} LIMIT ${conditions.bind(limit)}`;
  const rows = await run(pool, text, values);
  if (rows.length === 0 && marker !== undefined) await demandMarker(pool, marker);
  return rows;
}

const onlyList: ReadonlySet<Part> = new Set<Part>(["list"]);

/** An empty page may be the one after the last node, or of a marker that is none. */
async function demandMarker(pool: Pool, marker: string): Promise<void> {
  if ((await run(pool, "SELECT id FROM host h WHERE h.id = $1", [marker])).length === 0) throw noNode(marker);
}

/** The JSON text of one whole node, as every address that gives one node back answers. Throws 404. */
export async function nodeText(
  { pool, baseUrl }: Pick<IronicDeps, "pool" | "baseUrl">,
  ident: NodeIdent,
  version: Microversion,
  wanted: Wanted = "all",
): Promise<string> {
  const { parts, write } = selectFields(wanted, version, baseUrl);
  return write(await readNode(pool, parts, ident));
}

/** One node by UUID or name. Throws 404. */
export async function readNode(pool: Pool, parts: ReadonlySet<Part>, ident: NodeIdent): Promise<NodeRow> {
  const column = ident.kind === "uuid" ? "h.id" : "h.name";
  const [row] = await run(
    pool,
    `SELECT ${select(parts, pendingOf.one)} FROM ${fromOf(parts, false)} WHERE ${column} = $1`,
    [ident.text],
  );
  if (row === undefined) throw noNode(ident.text);
  return row;
}
