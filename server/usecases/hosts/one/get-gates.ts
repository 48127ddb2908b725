// The gates of a reclamation, in order, each with its evidence, or before its evaluation with the progress so far.
import { stepName } from "@/server/domain/cleaning/steps/step";
import { evidenceDrives, evidenceSentences } from "@/server/domain/reclamations/gates/evidence-text";
import { gateNames, gateTable, statusAsOfNow } from "@/server/domain/reclamations/gates/gate-names";
import { gateSoFar } from "@/server/domain/reclamations/gates/so-far";
import type { RecordedSoFar } from "@/server/domain/reclamations/gates/so-far";
import { emptyProven, storedContext } from "@/server/domain/lifecycle/context";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import type { GateLine } from "@/server/contract/reclamations/reclamation";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

interface GatesQuery {
  readonly hostId: string;
  readonly reclamationId?: string | undefined;
}

type GatesRecord = Awaited<ReturnType<typeof readRecord>>;

/** For one reclamation of the host, or its newest. A manual cleaning has none, because it proves nothing. */
export async function getGates(
  backend: Backend,
  actor: Actor,
  query: GatesQuery,
): Promise<Outcome<readonly GateLine[]>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const gates = await readGates(backend.database, { ...query, hostId: found.value.id });
  return gates === null ? notFound("reclamation", query.reclamationId ?? "") : done(gates);
}

/** The caller has checked the right. Null if the host has no such reclamation. */
export async function readGates(database: Database, query: GatesQuery): Promise<readonly GateLine[] | null> {
  const record = await readRecord(database, query);
  return record === null && query.reclamationId !== undefined ? null : gateLines(record);
}

async function readRecord(database: Database, { hostId, reclamationId }: GatesQuery) {
  const reclamation = await database.reclamation.findFirst({
    where: {
      hostId,
      ...(reclamationId === undefined ? {} : { id: reclamationId }),
    },
    orderBy: [{ startedAt: "desc" }, { number: "desc" }],
    select: {
      id: true,
      kind: true,
      planEpoch: true,
      endedAt: true,
      instanceId: true,
      gates: true,
      stepRuns: {
        orderBy: { position: "asc" },
        select: { id: true, planEpoch: true, interface: true, step: true, status: true, proves: true },
      },
    },
  });
  if (reclamation === null) return null;
  const [run, instance] = await Promise.all([
    database.hostRun.findUnique({ where: { hostId }, select: { reclamationId: true, context: true } }),
    reclamation.instanceId === null
      ? null
      : database.instance.findUnique({ where: { id: reclamation.instanceId }, select: { endedAt: true } }),
  ]);
  return { reclamation, run, instance };
}

/** Only for the reclamation in progress. */
function recordedSoFar({ reclamation, run, instance }: NonNullable<GatesRecord>): RecordedSoFar | null {
  if (reclamation.endedAt !== null || run?.reclamationId !== reclamation.id) return null;
  return {
    instanceEnded: instance === null ? null : instance.endedAt !== null,
    steps: reclamation.stepRuns
      .filter(({ planEpoch }) => planEpoch === reclamation.planEpoch)
      .map((step) => ({ name: stepName(step), status: step.status, proves: step.proves })),
    proven: storedContext.safeParse(run.context).data?.proven ?? emptyProven(),
  };
}

function gateLines(record: GatesRecord): readonly GateLine[] {
  if (record?.reclamation.kind === "manualCleaning") return [];
  const known = new Map((record?.reclamation.gates ?? []).map((gate) => [gate.gate, gate]));
  const stepNames = new Map(record?.reclamation.stepRuns.map((step) => [step.id, stepName(step)]));
  const soFar = record === null ? null : recordedSoFar(record);
  return gateNames.map((gate): GateLine => {
    const row = known.get(gate);
    const status = row === undefined ? undefined : statusAsOfNow(row.status, row.reason);
    if (row === undefined || status === undefined)
      return {
        gate,
        meaning: gateTable[gate].meaning,
        status: "open",
        reason: "not evaluated yet",
        soFar: soFar === null ? null : gateSoFar(gate, soFar),
        sentences: [],
        drives: [],
        evidence: null,
        generation: null,
        evidenceSeq: null,
        evaluatedAt: null,
      };
    return {
      gate,
      meaning: gateTable[gate].meaning,
      status,
      reason: row.reason,
      soFar: null,
      sentences: evidenceSentences(row.evidence, stepNames),
      drives: evidenceDrives(row.evidence),
      evidence: row.evidence,
      generation: String(row.generation),
      evidenceSeq: String(row.evidenceSeq),
      evaluatedAt: row.evaluatedAt,
    };
  });
}
