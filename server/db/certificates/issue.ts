// What follows a statement: records of non-conformance and receipts are written, the digest of each statement goes into the audit log, and once the log has
// signed it, statement, signature and proof become a bundle (docs/adr/0103-certificates.md).
import { createHash, randomUUID, sign } from "node:crypto";
import type { Pool } from "pg";
import { writeAudit } from "@/server/db/audit";
import { readEventProof } from "@/server/db/audit-log/event-proof";
import { readCertificateRecords } from "@/server/db/certificates/read-records";
import type { ReadRecords } from "@/server/db/certificates/read-records";
import { withTransaction } from "@/server/db/connection";
import { sqlOn } from "@/server/db/sql";
import { signerOf } from "@/server/domain/audit-log/checkpoint";
import { formatKey } from "@/server/domain/audit-log/note";
import type { Policy } from "@/server/domain/audit-log/policy";
import type { LogSigner } from "@/server/domain/audit-log/signing";
import { parseProof } from "@/server/domain/audit-log/tlog-proof";
import { buildStatement } from "@/server/domain/assurance/certificates/build";
import { bundleMediaType, payloadType, signedBytes } from "@/server/domain/assurance/certificates/bundle";
import type { Bundle } from "@/server/domain/assurance/certificates/bundle";
import { buildReceipt } from "@/server/domain/assurance/certificates/receipt";
import { statedType, statementText, wholeStatement } from "@/server/domain/assurance/certificates/statement";
import type { AnyStatement, WholeStatement } from "@/server/domain/assurance/certificates/statement";

/** Per round. */
const batch = 64;

/** A timestamp (RFC 3161) over these bytes, in DER; null: no authority is configured, or it does not answer now. */
export type StampTime = (bytes: Uint8Array) => Promise<Uint8Array | null>;

const digestOf = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

interface Written {
  readonly id: string;
  readonly kind: "certificate" | "receipt";
  readonly type: string;
  readonly text: string;
  readonly sha256: string;
  readonly tenantId: string | null;
  readonly instanceId: string | null;
}

const rowOf = (kind: Written["kind"], id: string, type: string, value: AnyStatement): Written => {
  const text = statementText(value);
  return { id, kind, type, text, sha256: digestOf(text), tenantId: null, instanceId: null };
};

/** What is still missing for a completed reclamation: its own statement if the commit wrote none, and the tenant's view of it. */
function missingOf(
  found: ReadRecords,
  known: { readonly sha256: string; readonly statement: string } | null,
) {
  if (typeof found.records === "string") throw new Error(found.records);
  const { records, issuer } = { ...found, records: found.records };
  const rows: Written[] = [];
  let whole: WholeStatement;
  let sha256: string;
  if (known === null) {
    const id = randomUUID();
    const { outcome, message } = records.reclamation;
    whole = buildStatement(records, { id, issuer, atTheEnd: false, outcome: outcome ?? "", message });
    const row = rowOf("certificate", id, whole.predicate.certificate.type, whole);
    rows.push(row);
    ({ sha256 } = row);
  } else {
    whole = wholeStatement.parse(JSON.parse(known.statement));
    ({ sha256 } = known);
  }
  const id = randomUUID();
  const { tenantId, instanceId, outcome } = whole.predicate.reclamation;
  const receipt = outcome === "ready" ? buildReceipt(whole, { id, sha256 }) : null;
  if (receipt !== null)
    rows.push({ ...rowOf("receipt", id, statedType(receipt), receipt), tenantId, instanceId });
  return rows;
}

/** A reclamation of fake hardware has no certificate: there was no machine. */
const isFake = ({ records }: ReadRecords): boolean =>
  typeof records !== "string" && records.host.hardwareType === "fake";

/** Writes what completed reclamations still lack. If one cannot be stated, stores the reason and retries in a minute. Returns how many were processed. */
async function writeDue(pool: Pool): Promise<number> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{
      id: string;
      hostId: string;
      sha256: string | null;
      statement: string | null;
    }>(
      `SELECT d.reclamation_id::text AS id, c.host_id::text AS "hostId", k.sha256, k.statement
       FROM certificate_due d JOIN reclamation c ON c.id = d.reclamation_id
         LEFT JOIN certificate k ON k.reclamation_id = d.reclamation_id AND k.kind = 'certificate'
       WHERE d.trouble IS NULL OR d.at < now() - interval '1 minute'
       ORDER BY d.at LIMIT ${batch} FOR UPDATE OF d SKIP LOCKED`,
    );
    if (rows.length === 0) return 0;
    const found = await readCertificateRecords(
      pool,
      rows.map(({ id }) => id),
    );
    for (const { id, hostId, sha256, statement } of rows) {
      const records = found.get(id);
      const known = sha256 === null || statement === null ? null : { sha256, statement };
      try {
        for (const row of records === undefined || isFake(records) ? [] : missingOf(records, known))
          await client.query(
            `INSERT INTO certificate (id, reclamation_id, host_id, kind, type, statement, sha256, tenant_id, instance_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (reclamation_id, kind) DO NOTHING`,
            [row.id, id, hostId, row.kind, row.type, row.text, row.sha256, row.tenantId, row.instanceId],
          );
        await client.query("DELETE FROM certificate_due WHERE reclamation_id = $1", [id]);
      } catch (error) {
        // A database error ends the round. A problem with the records is stored, and retried.
        if (error instanceof Error && "code" in error) throw error;
        await client.query("UPDATE certificate_due SET at = now(), trouble = $2 WHERE reclamation_id = $1", [
          id,
          error instanceof Error ? error.message.slice(0, 2000) : String(error),
        ]);
      }
    }
    return rows.length;
  });
}

/** Writes an audit event for each statement that has none. The event holds the digest, so the log proves the statement. */
async function logStatements(pool: Pool): Promise<number> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{
      id: string;
      reclamationId: string;
      kind: string;
      type: string;
      sha256: string;
      tenantId: string | null;
    }>(
      `SELECT id::text, reclamation_id::text AS "reclamationId", kind, type, sha256, tenant_id::text AS "tenantId" FROM certificate
       WHERE bundle IS NULL AND event_id IS NULL ORDER BY made_at, id LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
    );
    const events = rows.map((row) => ({ row, eventId: randomUUID() }));
    await writeAudit(
      sqlOn(client),
      ...events.map(({ row, eventId }) => ({
        id: eventId,
        actor: { kind: "system" as const, id: null, name: null },
        action: "certificate.issue" as const,
        targetId: row.reclamationId,
        tenantId: row.tenantId,
        requestId: eventId,
        address: null,
        outcome: "done" as const,
        before: null,
        after: { certificate: row.id, kind: row.kind, type: row.type, sha256: row.sha256 },
      })),
    );
    if (events.length > 0)
      await client.query(
        "UPDATE certificate c SET event_id = e.event_id FROM unnest($1::uuid[], $2::uuid[]) AS e(id, event_id) WHERE c.id = e.id",
        [events.map(({ row }) => row.id), events.map(({ eventId }) => eventId)],
      );
    return rows.length;
  });
}

/** The signed statement, with the proof that it is in the log. */
function bundleOf(
  text: string,
  { key, secret }: LogSigner,
  { entry, proof }: { readonly entry: string; readonly proof: string },
): { readonly bundle: Bundle; readonly signature: Uint8Array } {
  const payload = Buffer.from(text, "utf8");
  const signature = sign(null, signedBytes(payload), secret);
  return {
    signature,
    bundle: {
      mediaType: bundleMediaType,
      version: 1,
      envelope: {
        payloadType,
        payload: payload.toString("base64"),
        signatures: [{ keyid: `${key.name}+${key.id}`, sig: signature.toString("base64") }],
      },
      key: formatKey(key),
      entry,
      proof,
    },
  };
}

/** The key that signed the proof's checkpoint: no earlier checkpoint vouches for a newer key. */
async function signerOfProof(proof: string, known: readonly LogSigner[]): Promise<LogSigner | undefined> {
  const checkpoint = parseProof(proof)?.checkpoint;
  if (checkpoint === undefined) return undefined;
  const signed = await signerOf(
    checkpoint,
    known.map(({ key }) => key),
  );
  return signed.ok ? known.find(({ key }) => key.id === signed.key.id) : undefined;
}

/** If the policy requires a quorum of witnesses, wait this long for it, and then make the bundle with the cosignatures that arrived. */
const quorumPatienceMs = 3_000;

/** Signs the statements whose events the log has signed. Returns how many. */
async function signStatements(
  pool: Pool,
  signers: ReadSigners,
  policy: Policy | undefined,
  stampTime: StampTime,
): Promise<number> {
  const { rows } = await pool.query<{ id: string; statement: string; eventId: string; ageMs: number }>(
    `SELECT id::text, statement, event_id::text AS "eventId", (extract(epoch FROM clock_timestamp() - made_at) * 1000)::float8 AS "ageMs"
     FROM certificate WHERE bundle IS NULL AND event_id IS NOT NULL ORDER BY made_at, id LIMIT ${batch}`,
  );
  const known = rows.length === 0 ? [] : await signers();
  let signed = 0;
  for (const { id, statement, eventId, ageMs } of rows) {
    const proof = known.length === 0 ? null : await readEventProof(pool, eventId, policy);
    if (proof === null || (!proof.quorum && ageMs < quorumPatienceMs)) continue;
    const signer = await signerOfProof(proof.proof, known);
    if (signer === undefined) continue;
    const { bundle, signature } = bundleOf(statement, signer, proof);
    const token = await stampTime(signature);
    const stamped: Bundle =
      token === null ? bundle : { ...bundle, timestamp: Buffer.from(token).toString("base64") };
    await pool.query(
      "UPDATE certificate SET bundle = $2, signed_at = now() WHERE id = $1 AND bundle IS NULL",
      [id, JSON.stringify(stamped)],
    );
    signed += 1;
  }
  return signed;
}

/** The keys of the audit log, newest first. Only the sequencer's role can read them (docs/operations.md#database-roles). */
export type ReadSigners = () => Promise<readonly LogSigner[]>;

/** One round of all three. Any number of processes may run it concurrently. Returns how much it did; 0: nothing to do now. */
export async function issueCertificates(
  pool: Pool,
  signers: ReadSigners,
  policy: Policy | undefined,
  stampTime: StampTime,
): Promise<number> {
  const written = await writeDue(pool);
  const logged = await logStatements(pool);
  const signed = await signStatements(pool, signers, policy, stampTime);
  return written + logged + signed;
}
