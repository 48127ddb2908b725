// Which sites need two people for their changes, and how a site stands (docs/adr/0112-policy-changes-by-two-people.md).
import { hash } from "node:crypto";
import { sql } from "kysely";
import type { Reader } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { roles } from "@/server/domain/access/roles";
import type { SiteStanding } from "@/server/domain/site/two-people";
import { readSiteState } from "@/server/usecases/sites/site-state";

/** By name. What is neither true nor false counts as true, as in the database. */
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

/** Null: there is no such site. */
export async function readStanding(reader: Reader, name: string): Promise<SiteStanding | null> {
  const state = await readSiteState(reader, name);
  return state === null
    ? null
    : {
        siteId: state.siteId,
        document: state.document,
        networkToken: state.networkToken === null ? null : digest(state.networkToken),
        acknowledgementTokens: state.acknowledgementHashes.map(digest),
        unreadable: state.unreadable.map(({ name: sku }) => sku),
      };
}

/** How many people could ask for a change of a site, or decide on it. */
export const peopleWhoApprove = (reader: Reader): Promise<number> =>
  reader.person.count({
    where: { disabledAt: null, role: { in: roles.filter((role) => reachOf(role, "site.apply") === "any") } },
  });
