// Signs the audit log: a checkpoint over all that is numbered, if there is news. It never signs a tree that does not begin with the last one that it signed.
import type { Pool, PoolClient } from "pg";
import { parseCheckpoint, signerOf } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { consistencyRanges, isConsistent } from "@/server/domain/audit-log/proofs";
import type { TreeHead } from "@/server/domain/audit-log/proofs";
import { signCheckpoint } from "@/server/domain/audit-log/signing";
import { rotationAction } from "@/server/domain/audit-log/trusted-keys";
import { readSigners } from "@/server/db/audit-log/keys";
import type { StoredSigner } from "@/server/db/audit-log/keys";
import { readCheckpoint, readProof } from "@/server/db/audit-log/log-rows";
import { asSequencer, readTree } from "@/server/db/audit-log/sequencer";
import type { SecretBox } from "@/server/db/secrets/secret-box";

/** The log is not what was signed before: nothing more is signed. */
export class ForkedLogError extends Error {
  override readonly name = "ForkedLogError";
}

async function refuseFork(
  client: PoolClient,
  last: Checkpoint,
  head: TreeHead,
  signers: readonly StoredSigner[],
): Promise<void> {
  const signed = await signerOf(
    last,
    signers.map(({ key }) => key),
  );
  if (!signed.ok) throw new ForkedLogError(`the last checkpoint of the audit log: ${signed.why}`);
  const proof =
    last.size > head.size ? null : await readProof(client, consistencyRanges(last.size, head.size));
  // safety: audit log: no fork is signed
  if (proof === null || !isConsistent(last, head, proof))
    throw new ForkedLogError(
      `the audit log has ${head.size} events and does not begin with the ${last.size} that were signed`,
    );
}

/** The event that brought the newest key: null when a checkpoint of both keys covers it; `numbered` says where it is, once it has a number. */
async function openRotation(
  client: PoolClient,
  [newest, ...older]: readonly StoredSigner[],
): Promise<{ readonly numbered: number | null } | null> {
  const { rows } = await client.query<{ count: number; seq: string | null }>(
    `SELECT (SELECT count(*)::int FROM audit_rotation) AS count,
       (SELECT l.seq::text FROM audit_event e JOIN audit_leaf l ON l.event_id = e.id WHERE e.target_id = $1 AND e.action = $2) AS seq`,
    [newest?.key.id, rotationAction],
  );
  const [row] = rows;
  if (row === undefined || row.count === older.length) return null;
  return { numbered: row.seq === null ? null : Number(row.seq) };
}

/** Signs the tree, and stores what was signed. The newest key signs; the one before it does until the event of their change is covered, and there both do. */
async function storeCheckpoint(
  client: PoolClient,
  head: TreeHead,
  signers: readonly StoredSigner[],
): Promise<void> {
  const [newest, previous] = signers;
  if (newest === undefined) return;
  const open = previous === undefined ? null : await openRotation(client, signers);
  const signing =
    previous === undefined || open === null
      ? [newest]
      : open.numbered === null
        ? [previous]
        : [previous, newest];
  const note = signCheckpoint(newest.origin, head, signing);
  await client.query("INSERT INTO audit_checkpoint (size, note) VALUES ($1::bigint, $2)", [head.size, note]);
  if (open !== null && open.numbered !== null)
    await client.query("INSERT INTO audit_rotation (seq, note) VALUES ($1::bigint, $2)", [
      open.numbered,
      note,
    ]);
}

/**
 * Signs what is numbered.
 * @returns whether there was news
 * @throws ForkedLogError
 */
export async function signNews(pool: Pool, secrets: SecretBox): Promise<boolean> {
  const signed = await asSequencer(pool, async (client) => {
    const signers = await readSigners(client, secrets);
    const tree = await readTree(client);
    const text = await readCheckpoint(client);
    const last = text === null ? null : parseCheckpoint(text);
    if (text !== null && last === null)
      throw new ForkedLogError("the last checkpoint of the audit log is none");
    if (signers.length === 0 || tree.size === (last?.size ?? 0)) return false;
    const head = { size: tree.size, root: tree.root() };
    if (last !== null) await refuseFork(client, last, head, signers);
    await storeCheckpoint(client, head, signers);
    return true;
  });
  return signed ?? false;
}
