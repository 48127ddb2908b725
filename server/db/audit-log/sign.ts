// Signs the audit log: a checkpoint over all numbered events, if there are new ones. Never signs a tree that does not extend the last one it signed.
import type { Pool, PoolClient } from "pg";
import { parseCheckpoint, signerOf } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { consistencyRanges, isConsistent } from "@/server/domain/audit-log/proofs";
import type { TreeHead } from "@/server/domain/audit-log/proofs";
import { signCheckpoint } from "@/server/domain/audit-log/signing";
import { eventOfKey, readSigners } from "@/server/db/audit-log/keys";
import type { LeftOut, StoredSigner } from "@/server/db/audit-log/keys";
import { readCheckpoint, readProof } from "@/server/db/audit-log/log-rows";
import { asSequencer, readTree } from "@/server/db/audit-log/sequencer";
import type { SecretBox } from "@/server/db/secrets/secret-box";

/** The log does not extend what was signed before. Nothing more is signed. */
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

/** The sequence number of the event that introduced a key; null: it has none yet. */
async function numberOf(client: PoolClient, { key }: StoredSigner): Promise<number | null> {
  const { where, values } = eventOfKey(key);
  const { rows } = await client.query<{ seq: string | null }>(
    `SELECT min(l.seq)::text AS seq FROM audit_event e JOIN audit_leaf l ON l.event_id = e.id WHERE ${where}`,
    [...values],
  );
  const seq = rows[0]?.seq ?? null;
  return seq === null ? null : Number(seq);
}

/**
 * Signs the tree and stores the checkpoint. The newest key signs. While the event of a key change is not covered yet the previous key signs, and the
 * checkpoint that first covers it is signed by both.
 */
async function storeCheckpoint(
  client: PoolClient,
  head: TreeHead,
  signers: readonly StoredSigner[],
): Promise<void> {
  const [newest, previous] = signers;
  if (newest === undefined) return;
  const isChange = previous !== undefined && !newest.vouched;
  const numbered = isChange ? await numberOf(client, newest) : null;
  const signing = !isChange ? [newest] : numbered === null ? [previous] : [previous, newest];
  const note = signCheckpoint(newest.origin, head, signing);
  await client.query("INSERT INTO audit_checkpoint (size, note) VALUES ($1::bigint, $2)", [head.size, note]);
  if (numbered !== null)
    await client.query("INSERT INTO audit_rotation (seq, note) VALUES ($1::bigint, $2)", [numbered, note]);
}

/**
 * Signs all numbered events.
 * @param leftOut called with each key that is not used
 * @returns whether there was anything new
 * @throws ForkedLogError
 */
export async function signNews(pool: Pool, secrets: SecretBox, leftOut?: LeftOut): Promise<boolean> {
  const signed = await asSequencer(pool, async (client) => {
    const signers = await readSigners(client, secrets, leftOut);
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
