// The keys that sign the audit log. Their private halves are sealed like all secrets at rest (docs/security.md#secrets-at-rest).
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import type { LogSigner } from "@/server/domain/audit-log/signing";
import { formatKey, parseKey, parseNote, textSignedBy, verifierKey } from "@/server/domain/audit-log/note";
import type { Note, VerifierKey } from "@/server/domain/audit-log/note";
import { rotationAction } from "@/server/domain/audit-log/trusted-keys";
import { writeAudit } from "@/server/db/audit";
import type { AuditEvent } from "@/server/db/audit";
import { withTransaction } from "@/server/db/connection";
import { execute, executeText, queryRows, sqlOn } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";

/** Advisory lock of transactions that make a key; used for nothing else. */
const keysLock = 72_707_402;

interface KeyRow {
  readonly origin: string;
  readonly public_key: string;
  readonly private_key: Buffer;
}

export interface StoredSigner extends LogSigner {
  readonly origin: string;
  /** It is the first key, or the previous key has signed for it. The newest key may not be vouched for yet. */
  readonly vouched: boolean;
}

/** Any connection: a pool, or a transaction. */
export type LogDatabase = Pick<Pool | PoolClient, "query">;

/** Called with a key that is not used, and the reason. */
export type LeftOut = (key: string, why: unknown) => void;

/** Throws if the row does not hold a key pair. */
function openSigner(
  { origin, public_key: text, private_key: sealed }: KeyRow,
  secrets: SecretBox,
): LogSigner {
  const key = parseKey(text);
  if (key === null) throw new Error(`audit_key: ${text} is no public key`);
  const secret = createPrivateKey({
    key: Buffer.from(secrets.open(sealed, secretPlaces.auditKey(key.id)), "base64"),
    format: "der",
    type: "pkcs8",
  });
  if (formatKey(verifierKey(origin, "ed25519", createPublicKey(secret))) !== formatKey(key))
    throw new Error(`audit_key: ${text} is not the public half of its key, or not of the log ${origin}`);
  return { key, secret };
}

async function isSignedBy(notes: readonly Note[], text: string): Promise<boolean> {
  const key = parseKey(text);
  if (key?.type !== "ed25519") return false;
  for (const note of notes) if ((await textSignedBy(note, key)) === "signed") return true;
  return false;
}

/** The event that introduced a key. */
export const eventOfKey = (
  key: VerifierKey,
): { readonly where: string; readonly values: readonly string[] } => ({
  where: "e.target_id = $1 AND e.action = $2 AND e.outcome = 'done' AND e.after->>'key' = $3",
  values: [key.id, rotationAction, formatKey(key)],
});

/** Why a key that is not vouched for yet cannot be the next one; null: it can. */
async function whyNotNext(
  database: LogDatabase,
  { key, origin }: Pick<StoredSigner, "key" | "origin">,
  ofLog: string | undefined,
): Promise<Error | null> {
  if (origin !== ofLog) return new Error(`audit_key: a key of ${origin}, and not of the log ${ofLog}`);
  const { where, values } = eventOfKey(key);
  const { rowCount } = await database.query(`SELECT 1 FROM audit_event e WHERE ${where} LIMIT 1`, [
    ...values,
  ]);
  return rowCount === 0 ? new Error("audit_key: no event tells of the key") : null;
}

/** The first row that opens: somebody may have copied the public half. If none does, the error of the first. */
function openFirst(
  rows: readonly KeyRow[],
  secrets: SecretBox,
): Omit<StoredSigner, "vouched"> | { readonly error: unknown } {
  const errors: unknown[] = [];
  for (const row of rows) {
    try {
      return { origin: row.origin, ...openSigner(row, secrets) };
    } catch (error) {
      errors.push(error);
    }
  }
  return { error: errors[0] };
}

/**
 * The signing keys, newest first: those that are vouched for, and the oldest one that can come next. In an earlier release the server's role could
 * add rows to this table, but not to the table that vouches for them. So an unusable row is skipped and does not stop signing.
 * @throws SecretError if a key that is vouched for does not open
 */
export async function readSigners(
  database: LogDatabase,
  secrets: SecretBox,
  leftOut: LeftOut = () => undefined,
): Promise<readonly StoredSigner[]> {
  const { rows } = await database.query<KeyRow>(
    "SELECT origin, public_key, private_key FROM audit_key ORDER BY id",
  );
  const vouching = await database.query<{ note: string }>("SELECT note FROM audit_rotation");
  const notes = vouching.rows.flatMap(({ note }) => parseNote(note) ?? []);
  const signers: StoredSigner[] = [];
  let next: StoredSigner | null = null;
  for (const text of new Set(rows.map((row) => row.public_key.trim()))) {
    const same = rows.filter((row) => row.public_key.trim() === text);
    const vouched = signers.length === 0 || (await isSignedBy(notes, text));
    const opened = openFirst(same, secrets);
    if ("error" in opened) {
      if (vouched) throw opened.error;
      leftOut(text, opened.error);
      continue;
    }
    const signer = { ...opened, vouched };
    const why = vouched ? null : await whyNotNext(database, signer, signers[0]?.origin);
    if (why !== null) leftOut(text, why);
    else if (vouched) signers.push(signer);
    else next ??= signer;
  }
  return [...signers, ...(next === null ? [] : [next])].reverse();
}

/** A key as auditors see it. */
export interface PublicKey {
  readonly origin: string;
  readonly key: string;
  readonly createdAt: Date;
}

/** The public keys, newest first. */
export function readPublicKeys(on: SqlReader): Promise<readonly PublicKey[]> {
  return queryRows(
    on,
    sql<PublicKey>`SELECT origin, public_key AS key, created_at AS "createdAt" FROM audit_key ORDER BY id DESC`,
  );
}

export interface KeyStanding {
  /** Newest first. */
  readonly keys: readonly PublicKey[];
  /** Whether every key except the first is vouched for by the previous one. */
  readonly vouched: boolean;
  /** Whether a new key is requested. */
  readonly wanted: boolean;
}

/** Reads the keys, under a lock that keeps others from adding one. */
export async function lockKeys(tx: SqlReader): Promise<KeyStanding> {
  // An advisory lock, because a table lock would require the server's role to have the right to change the table.
  await executeText(tx, "SELECT pg_advisory_xact_lock($1::bigint)", [keysLock]);
  const keys = await readPublicKeys(tx);
  const rotations = await queryRows(tx, sql`SELECT seq FROM audit_rotation`);
  const wanted = await queryRows(tx, sql`SELECT id FROM audit_key_wanted LIMIT 1`);
  return { keys, vouched: rotations.length === keys.length - 1, wanted: wanted.length > 0 };
}

/** Requests a new key. The sequencer makes it, because the server's role must not know any private key. */
export async function askForKey(tx: SqlReader): Promise<void> {
  await execute(tx, sql`INSERT INTO audit_key_wanted (id) VALUES (${randomUUID()}::uuid)`);
}

/** Makes a key for the log. Call it in the transaction that writes its event. Returns the public key and its id. */
export async function addKey(
  tx: SqlReader,
  secrets: SecretBox,
  origin: string,
): Promise<{ readonly id: string; readonly publicKey: string }> {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } =
    generateKeyPairSync("ed25519");
  const key = verifierKey(origin, "ed25519", publicKey);
  const secret = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  const sealed = secrets.seal(secret, secretPlaces.auditKey(key.id));
  await execute(
    tx,
    sql`INSERT INTO audit_key (origin, public_key, private_key) VALUES (${origin}, ${formatKey(key)}, ${sealed})`,
  );
  return { id: key.id, publicKey: formatKey(key) };
}

const bySequencer = (action: "auditKey.create" | typeof rotationAction, id: string): AuditEvent => ({
  actor: { kind: "system", id: null, name: null },
  action,
  targetId: id,
  tenantId: null,
  requestId: randomUUID(),
  address: null,
  outcome: "done",
  before: null,
  after: null,
});

/**
 * Makes the requested key, together with its event. One at a time: the next one is made once this one is vouched for.
 * @returns whether there is a new key
 */
export async function makeWantedKey(pool: Pool, secrets: SecretBox): Promise<boolean> {
  const { rowCount } = await pool.query("SELECT 1 FROM audit_key_wanted LIMIT 1");
  if (rowCount === 0) return false;
  return withTransaction(pool, async (client) => {
    const tx = sqlOn(client);
    const { keys, vouched, wanted } = await lockKeys(tx);
    const [newest] = keys;
    // safety: audit log: each key is vouched for by the one before it
    if (!wanted || newest === undefined || !vouched) return false;
    await client.query("DELETE FROM audit_key_wanted");
    const { id, publicKey } = await addKey(tx, secrets, newest.origin);
    const facts = { before: { key: newest.key }, after: { key: publicKey } };
    await writeAudit(tx, { ...bySequencer(rotationAction, id), ...facts });
    return true;
  });
}

/** Makes the log's first key. The first process that starts on the database does this. */
export async function addFirstKey(pool: Pool, secrets: SecretBox, origin: string): Promise<void> {
  await withTransaction(pool, async (client) => {
    const tx = sqlOn(client);
    if ((await lockKeys(tx)).keys.length > 0) return;
    const { id, publicKey } = await addKey(tx, secrets, origin);
    await writeAudit(tx, { ...bySequencer("auditKey.create", id), after: { key: publicKey } });
  });
}
