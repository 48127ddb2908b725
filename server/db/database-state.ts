// What a database says about itself before anything else is read: whose data it holds, and which key its secrets are sealed with.
import { z } from "zod";
import { keyFingerprint, keyId } from "@/server/db/secrets/secret-box";
import { tokenHash } from "@/server/domain/access/tokens";
import type { DatabaseContent, DemoMarker } from "@/server/domain/database/seeding";

/** Runs one statement and returns its rows; works with a plain client and with Prisma's, in a transaction or not. */
export type Ask = (text: string, ...values: readonly unknown[]) => Promise<readonly unknown[]>;

/** For messages: enough to compare two keys by eye. */
const short = (fingerprint: string): string => fingerprint.slice(0, 12);

const existing = z.object({ exists: z.boolean() });
/** False before the first migration. */
const isMigrated = async (ask: Ask): Promise<boolean> =>
  (await ask("SELECT to_regclass('database_state') IS NOT NULL AS exists")).some(
    (row) => existing.parse(row).exists,
  );

const markerRow = z.object({ demo: z.enum(["people", "fleet"]).nullable() });
const countsRow = z.object({
  sites: z.coerce.number(),
  people: z.coerce.number(),
  hosts: z.coerce.number(),
  others: z.coerce.number(),
});

/**
 * The input of `seedingOf`. Also works on a database without tables.
 * @param networkToken of the fleet that would be seeded
 */
export async function readContent(ask: Ask, networkToken: string | undefined): Promise<DatabaseContent> {
  if (!(await isMigrated(ask))) return { marker: null, sites: 0, people: 0, hosts: 0, otherFleet: false };
  const rows = await ask("SELECT demo FROM database_state");
  const marker: DemoMarker | null = rows.length === 0 ? null : markerRow.parse(rows[0]).demo;
  const hash = networkToken === undefined ? null : tokenHash(networkToken);
  const counts = countsRow.parse(
    (
      await ask(
        `SELECT (SELECT count(*) FROM site) AS sites, (SELECT count(*) FROM person) AS people, (SELECT count(*) FROM host) AS hosts,
    (SELECT count(*) FROM adapter_token WHERE adapter = 'network' AND hash <> $1::bytea) AS others`,
        hash,
      )
    )[0],
  );
  return {
    marker,
    sites: counts.sites,
    people: counts.people,
    hosts: counts.hosts,
    otherFleet: counts.others > 0,
  };
}

const idRow = z.object({ id: z.string() });
const fingerprintRow = z.object({ fingerprint: z.string().nullable() });

/** A database whose secrets this process cannot open. */
export class WrongKeyError extends Error {
  override readonly name = "WrongKeyError";
  constructor(known: string, ours: string) {
    super(
      `is not the key that the secrets in this database are encrypted with (fingerprint ${ours}, the database has ${known}). Set the key that the database was first used with; ` +
        "with npm start, use the --data folder of the first start, or another database",
    );
  }
}

/**
 * Refuses a key that the database was not used with. Where no server has stored a fingerprint yet, the sealed secrets name their key's id. Throws
 * WrongKeyError.
 */
export async function checkKey(ask: Ask, key: Buffer): Promise<void> {
  if (!(await isMigrated(ask))) return;
  const ours = keyFingerprint(key);
  const rows = await ask("SELECT key_fingerprint AS fingerprint FROM database_state");
  const known = rows.length === 0 ? null : fingerprintRow.parse(rows[0]).fingerprint;
  // safety: start: another key is refused before anything changes
  if (known !== null && known !== ours) throw new WrongKeyError(short(known), short(ours));
  if (known !== null) return;
  const id = keyId(key).toString("hex");
  const sealed = await ask(
    `SELECT encode(substring(sealed FROM 2 FOR 4), 'hex') AS id
    FROM (SELECT bmc_password AS sealed FROM host UNION ALL SELECT network_token FROM site) s WHERE sealed IS NOT NULL GROUP BY 1 HAVING encode(substring(sealed FROM 2 FOR 4), 'hex') <> $1::text`,
    id,
  );
  const other = sealed.length === 0 ? undefined : idRow.parse(sealed[0]).id;
  // safety: start: sealed secrets name their key
  if (other !== undefined) throw new WrongKeyError(other, id);
}

/** Stores the key's fingerprint in a database that has none. Of two processes with different keys, one gets a WrongKeyError. */
export async function claimKey(ask: Ask, key: Buffer): Promise<void> {
  await checkKey(ask, key);
  const ours = keyFingerprint(key);
  const rows = await ask(
    "UPDATE database_state SET key_fingerprint = coalesce(key_fingerprint, $1::text) RETURNING key_fingerprint AS fingerprint",
    ours,
  );
  if (rows.length !== 1) throw new Error("the table database_state has no row: restore it from a backup");
  const { fingerprint } = fingerprintRow.parse(rows[0]);
  // safety: start: a database keeps its key
  if (fingerprint !== ours) throw new WrongKeyError(short(fingerprint ?? ""), short(ours));
}

/** Records what `npm start` creates in this database. Call it in the transaction that creates it. */
export async function markDemo(ask: Ask, marker: DemoMarker): Promise<void> {
  const rows = await ask("UPDATE database_state SET demo = $1::text RETURNING demo", marker);
  if (rows.length !== 1) throw new Error("the table database_state has no row: restore it from a backup");
}
