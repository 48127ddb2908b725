// Sends the newest checkpoint of the audit log to its witnesses, and keeps what they cosign (https://c2sp.org/tlog-witness).
import type { Logger } from "pino";
import type { Pool } from "pg";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { cosignedBy } from "@/server/domain/audit-log/cosignature";
import { parseSignatureLine, signatureLine } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { consistencyRanges } from "@/server/domain/audit-log/proofs";
import type { Witness } from "@/server/domain/audit-log/witness-setting";
import { formatAddCheckpoint } from "@/server/domain/audit-log/witnessing";
import { readCheckpoint, readProof, storeCosignature } from "@/server/db/audit-log/log-rows";
import { errorLog } from "@/server/jobs/error-log";

const everyMs = 2_000;
const answerWithinMs = 5_000;
const maxAnswerChars = 256 * 1024;

/** The log and what a witness has seen do not go together: one of them was changed. */
class WitnessRefusal extends Error {
  override readonly name = "WitnessRefusal";
}

async function post(
  { url }: Witness,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/add-checkpoint`, {
    method: "POST",
    body,
    headers: { "content-type": "text/plain; charset=utf-8" },
    redirect: "error",
    signal: AbortSignal.timeout(answerWithinMs),
  });
  return { status: response.status, text: (await response.text()).slice(0, maxAnswerChars) };
}

/** What a witness's own keys have cosigned. Lines of others are left out. */
function cosignaturesIn(text: string, checkpoint: Checkpoint, keys: readonly VerifierKey[]) {
  const signatures = text.split("\n").flatMap((line) => parseSignatureLine(line) ?? []);
  const note = { ...checkpoint.note, signatures };
  // safety: witness: what it has not cosigned is not kept
  return keys
    .filter((key) => cosignedBy({ ...checkpoint, note }, key) === "signed")
    .flatMap((key) =>
      signatures
        .filter(({ name, keyId }) => name === key.name && keyId === key.id)
        .map((signature) => ({ keyId: key.id, line: signatureLine(signature) })),
    );
}

/**
 * Has the newest checkpoint cosigned by one witness.
 * @param seen the size that it was at, as far as is known here
 * @returns the size that it is at now
 * @throws WitnessRefusal
 */
export async function askWitness(pool: Pool, witness: Witness, seen: number): Promise<number> {
  const note = await readCheckpoint(pool);
  const checkpoint = note === null ? null : parseCheckpoint(note);
  if (note === null || checkpoint === null || checkpoint.size === seen) return seen;
  const proof = await readProof(pool, consistencyRanges(seen, checkpoint.size));
  const { status, text } = await post(witness, formatAddCheckpoint(seen, proof, note));
  if (status === 409) {
    const size = /^(0|[1-9]\d{0,14})\n$/.exec(text)?.[1];
    if (size === undefined || Number(size) > checkpoint.size)
      throw new WitnessRefusal(
        `${witness.url} has seen ${text.trim()} events, and the log has ${checkpoint.size}`,
      );
    return Number(size) === seen ? seen : askWitness(pool, witness, Number(size));
  }
  const cosigned = status === 200 ? cosignaturesIn(text, checkpoint, witness.keys) : [];
  if (cosigned.length === 0)
    throw new WitnessRefusal(`${witness.url} answers ${status}: ${text.slice(0, 200).trim()}`);
  for (const one of cosigned) await storeCosignature(pool, checkpoint.size, one);
  return checkpoint.size;
}

/** Asks each witness until the returned function is called and has ended. One that does not answer holds up no other. */
export function startWitnessing(
  pool: Pool,
  logger: Logger,
  witnesses: readonly Witness[],
): () => Promise<void> {
  const asked = witnesses.map((witness) => {
    const failed = errorLog(logger, `the witness ${witness.url} did not cosign the audit log`);
    let seen = 0;
    let asking: Promise<void> | null = null;
    const timer = setInterval(() => {
      asking ??= askWitness(pool, witness, seen)
        .then((size) => {
          seen = size;
        })
        .catch((error: unknown) => {
          seen = 0;
          failed(error);
        })
        .finally(() => {
          asking = null;
        });
    }, everyMs);
    return async (): Promise<void> => {
      clearInterval(timer);
      await asking;
    };
  });
  return async () => {
    await Promise.all(asked.map((stop) => stop()));
  };
}
