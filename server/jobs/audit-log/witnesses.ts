// Sends the newest checkpoint of the audit log to its witnesses, and keeps what they cosign (https://c2sp.org/tlog-witness).
import type { Logger } from "pino";
import type { Pool } from "pg";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { cosignedBy } from "@/server/domain/audit-log/cosignature";
import { parseSignatureLine, signatureLine } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { askedWitnesses } from "@/server/domain/audit-log/policy";
import type { AskedWitness, Policy } from "@/server/domain/audit-log/policy";
import { consistencyRanges } from "@/server/domain/audit-log/proofs";
import { formatAddCheckpoint } from "@/server/domain/audit-log/witnessing";
import { readCheckpoint, readProof, storeCosignature } from "@/server/db/audit-log/log-rows";
import { errorLog } from "@/server/jobs/error-log";

const everyMs = 1_000;
const answerWithinMs = 5_000;
const maxAnswerChars = 256 * 1024;

/** The log and what a witness has seen do not go together: one of them was changed. */
class WitnessRefusal extends Error {
  override readonly name = "WitnessRefusal";
}

async function post(
  { url }: AskedWitness,
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
async function cosignaturesIn(text: string, checkpoint: Checkpoint, keys: readonly VerifierKey[]) {
  const signatures = text.split("\n").flatMap((line) => parseSignatureLine(line) ?? []);
  const note = { ...checkpoint.note, signatures };
  const told = await Promise.all(
    keys.map(async (key) => ({ key, how: await cosignedBy({ ...checkpoint, note }, key) })),
  );
  // safety: witness: what it has not cosigned is not kept
  return told
    .filter(({ how }) => how === "signed")
    .flatMap(({ key }) =>
      signatures
        .filter(({ name, keyId }) => name === key.name && keyId === key.id)
        .map((signature) => ({ keyId: key.id, line: signatureLine(signature) })),
    );
}

/**
 * Has a checkpoint cosigned by one witness.
 * @param note the checkpoint, as it was signed
 * @param seen the size that the witness was at, as far as is known here
 * @returns the size that it is at now: above the checkpoint's where it has seen a newer one
 * @throws WitnessRefusal
 */
export async function askWitness(
  pool: Pool,
  witness: AskedWitness,
  note: string,
  seen: number,
): Promise<number> {
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === null || seen >= checkpoint.size) return seen;
  const proof = await readProof(pool, consistencyRanges(seen, checkpoint.size));
  const { status, text } = await post(witness, formatAddCheckpoint(seen, proof, note));
  if (status === 409) {
    const size = Number(/^(0|[1-9]\d{0,14})\n$/.exec(text)?.[1]);
    const newest = parseCheckpoint((await readCheckpoint(pool)) ?? "")?.size ?? 0;
    if (!(size <= newest))
      throw new WitnessRefusal(`${witness.url} has seen ${text.trim()} events, and the log has ${newest}`);
    return size === seen || size > checkpoint.size ? size : askWitness(pool, witness, note, size);
  }
  const cosigned = status === 200 ? await cosignaturesIn(text, checkpoint, witness.keys) : [];
  if (cosigned.length === 0)
    throw new WitnessRefusal(`${witness.url} answers ${status}: ${text.slice(0, 200).trim()}`);
  for (const one of cosigned) await storeCosignature(pool, checkpoint.size, one);
  return checkpoint.size;
}

/** One witness as a round asks it: a question at a time, and whether it answered the last one. */
class AskedInRounds {
  #seen = 0;
  #asking: Promise<void> | null = null;
  answers = true;
  readonly #ask: (seen: number, note: string) => Promise<number>;
  readonly #failed: (error: unknown) => void;

  constructor(ask: (seen: number, note: string) => Promise<number>, failed: (error: unknown) => void) {
    this.#ask = ask;
    this.#failed = failed;
  }

  ask(note: string): Promise<void> {
    this.#asking ??= this.#ask(this.#seen, note)
      .then((size) => {
        this.#seen = size;
        this.answers = true;
      })
      .catch((error: unknown) => {
        this.#seen = 0;
        this.answers = false;
        this.#failed(error);
      })
      .finally(() => {
        this.#asking = null;
      });
    return this.#asking;
  }

  over = (): Promise<void> => this.#asking ?? Promise.resolve();
}

/**
 * Asks all witnesses for the same checkpoint, the newest one, until the returned function is called and has ended: a quorum is of one checkpoint. A
 * round ends when those have answered that answered before; one that does not answer holds up no other.
 */
export function startWitnessing(pool: Pool, logger: Logger, policy: Policy | undefined): () => Promise<void> {
  const asked = (policy === undefined ? [] : askedWitnesses(policy)).map(
    (witness) =>
      new AskedInRounds(
        (seen, note) => askWitness(pool, witness, note, seen),
        errorLog(logger, `the witness ${witness.url} did not cosign the audit log`),
      ),
  );
  const notRead = errorLog(logger, "the checkpoint for the witnesses of the audit log could not be read");
  let round: Promise<void> | null = null;
  const startRound = async (): Promise<void> => {
    const note = await readCheckpoint(pool);
    if (note === null) return;
    const answering = asked.filter(({ answers }) => answers);
    const asking = asked.map((one) => ({ one, done: one.ask(note) }));
    await Promise.all(asking.filter(({ one }) => answering.includes(one)).map(({ done }) => done));
  };
  const timer = setInterval(() => {
    if (asked.length === 0) return;
    round ??= startRound()
      .catch(notRead)
      .finally(() => {
        round = null;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await round;
    await Promise.all(asked.map((one) => one.over()));
  };
}
