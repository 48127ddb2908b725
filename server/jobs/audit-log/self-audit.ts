// The self-audit: checks the whole log by the code of `reclaim audit verify`, and the states of hosts against it, once a night and when somebody asks
// (docs/adr/0111-the-self-audit-replays-states.md).
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Pool, PoolClient } from "pg";
import { writeAudit } from "@/server/db/audit";
import type { AuditFacts } from "@/server/db/audit";
import {
  beginCheck,
  endCheck,
  readAcknowledgements,
  readCheckNow,
  readChecks,
  readLogStart,
} from "@/server/db/audit-log/check-rows";
import { readPublicKeys } from "@/server/db/audit-log/keys";
import { readCheckpoint } from "@/server/db/audit-log/log-rows";
import { readHostNames } from "@/server/db/audit-log/replay-rows";
import { filesAt, readKeptCheckpoint, readUnsigned, whileChecking } from "@/server/db/audit-log/self-audit";
import type { Unsigned } from "@/server/db/audit-log/self-audit";
import { withConnection, withinTransaction } from "@/server/db/connection";
import { sqlOn } from "@/server/db/sql";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { parseKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { Findings, logFinding } from "@/server/domain/audit-log/self-audit/findings";
import type { Finding } from "@/server/domain/audit-log/self-audit/findings";
import {
  auditLogTarget,
  isNightlyDue,
  lastDue,
  selfAuditAction,
} from "@/server/domain/audit-log/self-audit/self-audit";
import { tileWidth } from "@/server/domain/audit-log/tiles";
import { verifyLog } from "@/server/domain/audit-log/verify-log";
import type { ReadLogFile } from "@/server/domain/audit-log/verify-log";
import { CheckPace } from "@/server/jobs/audit-log/check-pace";
import { checkStates } from "@/server/jobs/audit-log/check-states";
import { errorLog } from "@/server/jobs/error-log";

const lookEveryMs = 5_000;
/** Of the faults, as many are in the server's log and in the event's words. */
const maxSaid = 5;

/** The reader, with a rest before each bundle of events. */
const rested =
  (read: ReadLogFile, pace: CheckPace): ReadLogFile =>
  async (path) => {
    if (path.startsWith("tile/entries/")) await pace.rest(tileWidth);
    return read(path);
  };

interface CheckedLog {
  readonly events: number;
  /** Whether the next check compares with this checkpoint. */
  readonly goesOn: boolean;
}

async function checkLog(
  client: PoolClient,
  findings: Findings,
  pace: CheckPace,
  { id, checkpoint }: { readonly id: string; readonly checkpoint: string | null },
): Promise<CheckedLog> {
  const parsed = checkpoint === null ? null : parseCheckpoint(checkpoint);
  if (checkpoint === null || parsed === null) {
    findings.add(logFinding("checkpoint", "is missing, or is none"));
    return { events: 0, goesOn: false };
  }
  await pace.begin("log", parsed.size);
  const keys = await readPublicKeys(sqlOn(client));
  const kept = await readKeptCheckpoint(client);
  const { faults, more, size, goesOn } = await verifyLog(rested(filesAt(client, checkpoint), pace), {
    policy: policyOfKeys(keys.flatMap(({ key }) => parseKey(key) ?? [])),
    kept: kept === null ? [] : [kept],
  });
  if (more) findings.addUncounted("log", id, `has more faults than the ${faults.length} that are counted`);
  findings.addAll(faults.map(({ what, why }) => logFinding(what, why)));
  findings.addAll(unsignedFindings(await readUnsigned(client)));
  return { events: size, goesOn };
}

function unsignedFindings(found: Unsigned): readonly Finding[] {
  const { lost, lastLost, waiting, waitingSince, unsignedFrom } = found;
  return [
    ...(lost > 0 ? [logFinding("events", `${lost} have no number and wait for none`, lastLost ?? "")] : []),
    ...(waitingSince === null
      ? []
      : [
          logFinding(
            "events",
            `${waiting} have waited for their number for more than ten minutes, since ${waitingSince.toISOString()}`,
          ),
        ]),
    ...(unsignedFrom === null
      ? []
      : [logFinding("checkpoint", `is older than event ${unsignedFrom} by more than ten minutes`)]),
  ];
}

/** "gpu-a-0417 became Ready, but …" */
const sentence = ({ hostId, reclamationId, says }: Finding, names: ReadonlyMap<string, string>): string => {
  if (hostId === null && reclamationId === null) return says;
  const name = hostId === null ? null : (names.get(hostId) ?? `host ${hostId}`);
  return `${name ?? `reclamation ${reclamationId}`} ${says}`;
};

async function factsOf(client: PoolClient, findings: Findings): Promise<AuditFacts> {
  const { named } = findings;
  const names = await readHostNames(
    client,
    named.flatMap(({ hostId }) => hostId ?? []),
  );
  return {
    ok: findings.count === 0,
    faults: findings.count,
    logFaults: findings.countOf("log"),
    first: named.slice(0, maxSaid).map((each) => sentence(each, names)),
    kinds: findings.kinds.map((kind) => ({ ...kind })),
    named: named.map((each) => ({
      ...each,
      hostName: each.hostId === null ? null : (names.get(each.hostId) ?? null),
    })),
  };
}

/** Checks everything, and writes the event of it: both or neither, at its end. Exported for its test. */
export async function selfAudit(client: PoolClient, logger: Logger, signal: AbortSignal): Promise<void> {
  const [id, begun] = [randomUUID(), performance.now()];
  const { askedBy } = await beginCheck(client);
  const acknowledged = (await readAcknowledgements(sqlOn(client))).flatMap(({ keys }) => keys);
  const [findings, pace] = [new Findings(new Set(acknowledged)), new CheckPace(client, signal)];
  const checkpoint = await readCheckpoint(client);
  const { events, goesOn } = await checkLog(client, findings, pace, { id, checkpoint });
  const covered = await checkStates(client, findings, pace);
  const facts = await factsOf(client, findings);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  await withinTransaction(client, async () => {
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
      after: { ...facts, events, goesOn, covered: { ...covered }, askedBy, checkpoint, seconds },
    });
    await endCheck(client);
  });
  const said = { events, covered, seconds, faults: facts["faults"], first: facts["first"] };
  if (findings.count === 0) logger.info(said, "the self-audit found nothing wrong");
  else logger.error(said, "the self-audit found faults: see Audit, Self-audit");
}

async function isDue(client: PoolClient, hour: number): Promise<boolean> {
  const database = sqlOn(client);
  const now = await readCheckNow(database);
  // One that is running is another process's; it holds the lock, too.
  if (now !== null) return now.standing !== "running";
  const due = lastDue(new Date(), hour);
  const [last] = await readChecks(database, 1, null);
  return isNightlyDue(last ?? null, await readLogStart(database), due);
}

/** Looks every few seconds whether a check is due or asked for. Any number of processes may. @param hour of the day, in UTC */
export function startSelfAudit(pool: Pool, logger: Logger, hour: number): () => Promise<void> {
  const over = new AbortController();
  const notChecked = errorLog(logger, "the self-audit could not be finished");
  let round: Promise<void> | null = null;
  const look = async (client: PoolClient): Promise<void> => {
    if (!(await isDue(client, hour))) return;
    await whileChecking(client, async () => {
      if (await isDue(client, hour)) await selfAudit(client, logger, over.signal);
    });
  };
  const timer = setInterval(() => {
    round ??= withConnection(pool, look)
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
