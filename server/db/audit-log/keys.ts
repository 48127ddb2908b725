// The keys that sign the audit log. Their secret halves are sealed as all secrets at rest (docs/security.md#secrets-at-rest).
import { createPrivateKey, generateKeyPairSync, randomUUID } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { LogSigner } from "@/server/domain/audit-log/signing";
import { formatKey, parseKey, verifierKey } from "@/server/domain/audit-log/note";
import { writeAudit } from "@/server/db/audit";
import { withTransaction } from "@/server/db/connection";
import { executeText, sqlOf, sqlOn } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";

/** Of transactions that make a key; nobody else's. */
const keysLock = 72_707_402;

interface KeyRow {
  readonly origin: string;
  readonly public_key: string;
  readonly private_key: Buffer;
}

export interface StoredSigner extends LogSigner {
  readonly origin: string;
}

/** Any connection: of the pool, or of a transaction. */
export type LogDatabase = Pick<Pool | PoolClient, "query">;

/** All keys, the newest first. Throws SecretError when one does not open. */
export async function readSigners(
  database: LogDatabase,
  secrets: SecretBox,
): Promise<readonly StoredSigner[]> {
  const { rows } = await database.query<KeyRow>(
    "SELECT origin, public_key, private_key FROM audit_key ORDER BY id DESC",
  );
  return rows.map(({ origin, public_key: text, private_key: sealed }) => {
    const key = parseKey(text);
    if (key === null) throw new Error(`audit_key: ${text} is no public key`);
    const secret = createPrivateKey({
      key: Buffer.from(secrets.open(sealed, secretPlaces.auditKey(key.id)), "base64"),
      format: "der",
      type: "pkcs8",
    });
    return { origin, key, secret };
  });
}

/** A key as auditors are told it. */
export interface PublicKey {
  readonly origin: string;
  readonly key: string;
  readonly createdAt: Date;
}

/** The public keys, the newest first. */
export async function readPublicKeys(on: SqlReader): Promise<readonly PublicKey[]> {
  const rows = await sqlOf(on)
    .selectFrom("audit_key")
    .select(["origin", "public_key", "created_at"])
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ origin, public_key: key, created_at: createdAt }) => ({ origin, key, createdAt }));
}

/** The keys, when nobody else adds one, and whether each but the first is vouched for by the one before it. */
export async function lockKeys(
  tx: SqlReader,
): Promise<{ readonly keys: readonly PublicKey[]; readonly vouched: boolean }> {
  // Not a lock of the table: for that the server's role would need the right to change it.
  await executeText(tx, "SELECT pg_advisory_xact_lock($1::bigint)", [keysLock]);
  const keys = await readPublicKeys(tx);
  const rotations = await sqlOf(tx).selectFrom("audit_rotation").select("seq").execute();
  return { keys, vouched: rotations.length === keys.length - 1 };
}

/** Makes a key for the log. Call it in the transaction of the event that tells of it. Returns the public key and its id. */
export async function addKey(
  tx: SqlReader,
  secrets: SecretBox,
  origin: string,
): Promise<{ readonly id: string; readonly publicKey: string }> {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } =
    generateKeyPairSync("ed25519");
  const key = verifierKey(origin, "ed25519", publicKey);
  const secret = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  await sqlOf(tx)
    .insertInto("audit_key")
    .values({
      origin,
      public_key: formatKey(key),
      private_key: secrets.seal(secret, secretPlaces.auditKey(key.id)),
    })
    .execute();
  return { id: key.id, publicKey: formatKey(key) };
}

/** The log's first key, made by the first process that starts on the database. */
export async function addFirstKey(pool: Pool, secrets: SecretBox, origin: string): Promise<void> {
  await withTransaction(pool, async (client) => {
    const tx = sqlOn(client);
    if ((await lockKeys(tx)).keys.length > 0) return;
    const { id, publicKey } = await addKey(tx, secrets, origin);
    await writeAudit(tx, {
      actor: { kind: "system", id: null, name: null },
      action: "auditKey.create",
      targetId: id,
      tenantId: null,
      requestId: randomUUID(),
      address: null,
      outcome: "done",
      before: null,
      after: { key: publicKey },
    });
  });
}
