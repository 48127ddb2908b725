// The digest of an ended reclamation's history. Its transitions and step runs are not events of the audit log; one event has the digest of them all
// (docs/security.md#the-audit-log). Anybody with the rows can compute it again.
import canonicalize from "canonicalize";
import { z } from "zod";
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";

/** In UTC, to the millisecond, so that a time always has the same text, whatever the connection's time zone. */
const time = z.iso.datetime({ precision: 3 });

const transition = z.strictObject({
  version: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  causes: z.unknown(),
  generation: z.string(),
  at: time,
});

const stepRun = z.strictObject({
  planEpoch: z.int(),
  position: z.int(),
  interface: z.string(),
  step: z.string(),
  where: z.string(),
  priority: z.int(),
  args: z.unknown(),
  proves: z.array(z.string()),
  status: z.string(),
  attempt: z.int(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  message: z.string().nullable(),
});

/** In a fixed order: transitions by version, step runs by plan and position. */
export const reclamationHistory = z.strictObject({
  reclamation: z.strictObject({
    id: z.guid(),
    number: z.string(),
    hostId: z.guid(),
    hostSerial: z.string(),
    kind: z.string(),
    instanceId: z.guid().nullable(),
    startedAt: time,
    endedAt: time,
    outcome: z.string().nullable(),
  }),
  transitions: z.array(transition),
  stepRuns: z.array(stepRun),
});
export type ReclamationHistory = z.infer<typeof reclamationHistory>;

/** What the event of the end contains: how much is covered, and the digest of its canonical JSON (RFC 8785). */
export interface HistoryDigest {
  /** Version of the hashed form. */
  readonly form: 1;
  readonly sha256: string;
  readonly transitions: number;
  /** Of the last transition; null: there was none. The host's later transitions do not belong to this reclamation. */
  readonly lastVersion: string | null;
  readonly stepRuns: number;
  readonly outcome: string | null;
}

const form = 1;

/** Equal for equal histories. */
export function historyDigest(history: ReclamationHistory): HistoryDigest {
  const { reclamation, transitions, stepRuns } = reclamationHistory.parse(history);
  const text = canonicalize({ form, reclamation, transitions, stepRuns }) ?? "";
  return {
    form,
    sha256: Buffer.from(sha256(Buffer.from(text, "utf8"))).toString("hex"),
    transitions: transitions.length,
    lastVersion: transitions.at(-1)?.version ?? null,
    stepRuns: stepRuns.length,
    outcome: reclamation.outcome,
  };
}
