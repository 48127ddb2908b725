// Checks the whole log once a night by the code of `reclaim audit verify`, and logs what it found (docs/adr/0107-nightly-self-audit.md).
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Pool, PoolClient } from "pg";
import { writeAudit } from "@/server/db/audit";
import { readPublicKeys } from "@/server/db/audit-log/keys";
import { readCheckpoint } from "@/server/db/audit-log/log-rows";
import {
  beganBefore,
  filesAt,
  readKeptCheckpoint,
  readSelfAudit,
  readUnsigned,
  whileChecking,
} from "@/server/db/audit-log/self-audit";
import { withConnection } from "@/server/db/connection";
import { sqlOn } from "@/server/db/sql";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { parseKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { auditLogTarget, lastDue, selfAuditAction } from "@/server/domain/audit-log/self-audit/self-audit";
import { verifyLog } from "@/server/domain/audit-log/verify-log";
import type { Fault, ReadLogFile } from "@/server/domain/audit-log/verify-log";
import { errorLog } from "@/server/jobs/error-log";

const lookEveryMs = 60_000;
/** Of the faults that were found, as many are in the event. */
const mostNamed = 5;
/** It rests this many times as long as it works: hosts come first. */
const restOver = 3;

/** The reader, with a rest before each bundle of events. */
function rested(read: ReadLogFile, signal: AbortSignal): ReadLogFile {
  let since = performance.now();
  return async (path) => {
    if (path.startsWith("tile/entries/")) {
      await pause(restOver * (performance.now() - since), undefined, { signal });
      since = performance.now();
    }
    return read(path);
  };
}

async function findFaults(
  client: PoolClient,
  checkpoint: string,
  signal: AbortSignal,
): Promise<{ readonly faults: readonly Fault[]; readonly size: number }> {
  const keys = await readPublicKeys(sqlOn(client));
  const kept = await readKeptCheckpoint(client);
  const { faults, size } = await verifyLog(rested(filesAt(client, checkpoint), signal), {
    policy: policyOfKeys(keys.flatMap(({ key }) => parseKey(key) ?? [])),
    kept: kept === null ? [] : [kept],
  });
  const { lost, waiting, unsigned } = await readUnsigned(client, size);
  return {
    size,
    faults: [
      ...faults,
      ...(lost > 0 ? [{ what: "events", why: `${lost} have no number and wait for none` }] : []),
      ...(waiting > 0
        ? [{ what: "events", why: `${waiting} wait for their number for more than ten minutes` }]
        : []),
      ...(unsigned ? [{ what: "checkpoint", why: "is older than numbered events by ten minutes" }] : []),
    ],
  };
}

/** Checks the log, and writes the event of it. Exported for its test. */
export async function checkLog(client: PoolClient, logger: Logger, signal: AbortSignal): Promise<void> {
  const begun = performance.now();
  const checkpoint = await readCheckpoint(client);
  const { faults, size } =
    checkpoint === null || parseCheckpoint(checkpoint) === null
      ? { faults: [{ what: "checkpoint", why: "is missing, or is none" }], size: 0 }
      : await findFaults(client, checkpoint, signal);
  const id = randomUUID();
  const found = {
    ok: faults.length === 0,
    events: size,
    faults: faults.length,
    first: faults.slice(0, mostNamed).map(({ what, why }) => `${what} ${why}`.slice(0, 500)),
  };
  await writeAudit(sqlOn(client), {
    id,
    actor: { kind: "system", id: null, name: null },
    action: selfAuditAction,
    targetId: auditLogTarget,
    tenantId: null,
    requestId: id,
    address: null,
    outcome: "done",
    before: null,
    after: { ...found, checkpoint, seconds: Math.round((performance.now() - begun) / 1_000) },
  });
  if (found.ok) logger.info(found, "the audit log was checked");
  else logger.error(found, "the audit log was changed, or is not whole: see Audit, Verify");
}

/** Looks every minute whether a check is due. Any number of processes may. @param hour of the day, in UTC */
export function startSelfAudit(pool: Pool, logger: Logger, hour: number): () => Promise<void> {
  const over = new AbortController();
  const notChecked = errorLog(logger, "the audit log could not be checked");
  let round: Promise<void> | null = null;
  const checkIfDue = async (client: PoolClient): Promise<void> => {
    const due = lastDue(new Date(), hour);
    const last = await readSelfAudit(client);
    if (last === null ? await beganBefore(client, due) : last.at < due)
      await checkLog(client, logger, over.signal);
  };
  const timer = setInterval(() => {
    round ??= withConnection(pool, (client) => whileChecking(client, () => checkIfDue(client)))
      .catch((error: unknown) => {
        if (!over.signal.aborted) notChecked(error);
      })
      .finally(() => {
        round = null;
      });
  }, lookEveryMs);
  return async () => {
    over.abort();
    clearInterval(timer);
    await round;
  };
}
