// Which sites need two people for changes, and the state of a site that is compared for it (docs/adr/0112-policy-changes-by-two-people.md).
import { hash } from "node:crypto";
import { sql } from "kysely";
import { ZodError } from "zod";
import type { Reader } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { roles } from "@/server/domain/access/roles";
import type { LeftOutOfHost, SiteStanding } from "@/server/domain/sites/two-people";
import { readSiteState } from "@/server/usecases/sites/site-state";

/** By name. A value that is neither true nor false counts as true, as in the database. */
export async function sitesOfTwo(tx: SqlReader): Promise<readonly string[]> {
  const rows = await queryRows(
    tx,
    sql<{ name: string }>`
    SELECT s.name FROM site s JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version
    WHERE needs_two_people(p.body) ORDER BY s.name`,
  );
  return rows.map(({ name }) => name);
}

const digest = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");

/** Null if there is no such site. */
export async function readSiteStanding(reader: Reader, name: string): Promise<SiteStanding | null> {
  const state = await readSiteState(reader, name);
  return state === null
    ? null
    : {
        siteId: state.siteId,
        document: state.document,
        networkToken: state.networkToken === null ? null : digest(state.networkToken),
        acknowledgementTokens: state.acknowledgementHashes.map(digest),
        unreadable: state.unreadable.map(({ name: sku }) => sku),
        leftOut: await readLeftOut(reader, state.siteId),
      };
}

/** What settings of single hosts of the site leave out. */
const readLeftOut = (reader: Reader, siteId: string): Promise<LeftOutOfHost[]> =>
  queryRows(
    reader,
    sql<LeftOutOfHost>`
    SELECT name AS host, 'automatedClean' AS setting FROM host WHERE site_id = ${siteId}::uuid AND automated_clean = false
    UNION ALL
    SELECT h.name, o.interface || '.' || o.step FROM step_override o JOIN host h ON h.id = o.scope_id
    WHERE o.scope = 'host' AND o.priority = 0 AND h.site_id = ${siteId}::uuid ORDER BY 1, 2`,
  );

/** The same, but `unreadable` if the stored value is from another release. */
export async function tryStanding(reader: Reader, name: string): Promise<SiteStanding | "unreadable" | null> {
  try {
    return await readSiteStanding(reader, name);
  } catch (error) {
    if (error instanceof ZodError) return "unreadable";
    throw error;
  }
}

/** Distinguishes states of an unreadable site: a digest over all that is stored about it and about SKUs. */
export async function storedDigest(tx: SqlReader, name: string): Promise<string> {
  const [row] = await queryRows(
    tx,
    sql<{ digest: string }>`
    SELECT encode(sha256(convert_to(jsonb_build_array(to_jsonb(s),
      (SELECT jsonb_agg(to_jsonb(p) ORDER BY p.version) FROM site_policy p WHERE p.site_id = s.id),
      (SELECT jsonb_agg(to_jsonb(t) ORDER BY t.hash) FROM adapter_token t WHERE t.site_id = s.id),
      (SELECT jsonb_agg(to_jsonb(i) ORDER BY i.id) FROM agent_image i WHERE i.site_id = s.id),
      (SELECT jsonb_agg(to_jsonb(o) ORDER BY o.scope, o.scope_id, o.interface, o.step) FROM step_override o
        WHERE o.scope = 'sku' OR o.scope = 'site' AND o.scope_id = s.id
          OR o.scope = 'host' AND o.priority = 0 AND EXISTS (SELECT FROM host h WHERE h.id = o.scope_id AND h.site_id = s.id)),
      (SELECT jsonb_agg(h.id ORDER BY h.id) FROM host h WHERE h.site_id = s.id AND h.automated_clean = false),
      (SELECT jsonb_agg(to_jsonb(k) ORDER BY k.id) FROM sku k))::text, 'UTF8')), 'hex') AS digest
    FROM site s WHERE s.name = ${name}`,
  );
  if (row === undefined) throw new Error(`the site ${name} is gone`);
  return row.digest;
}

/** The site's candidate image; null if none. */
export async function triedImage(reader: Reader, site: string): Promise<string | null> {
  const image = await reader.agentImage.findFirst({ where: { site: { name: site }, status: "candidate" } });
  return image?.version ?? null;
}

/** How many people could request a change of a site, or decide on one. */
export const peopleWhoApprove = (reader: Reader): Promise<number> =>
  reader.person.count({
    where: { disabledAt: null, role: { in: roles.filter((role) => reachOf(role, "site.apply") === "any") } },
  });
