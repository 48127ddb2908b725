// The gates of a reclamation, in order, each with what it rests on.
import { gateMeaning, gateNames, gateStatuses } from "@/server/domain/gates/gate-names";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import type { GateLine } from "@/server/contract/answers/reclamation";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** Of one reclamation of the host, or of its newest; a manual cleaning has none, so it is passed over. */
export async function getGates(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string; readonly reclamationId?: string | undefined },
): Promise<Outcome<readonly GateLine[]>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const { reclamationId } = query;
  const [reclamation] = await backend.database.reclamation.findMany({
    where: {
      hostId: found.value.id,
      ...(reclamationId === undefined ? { kind: { not: "manualCleaning" } } : { id: reclamationId }),
    },
    orderBy: { startedAt: "desc" },
    take: 1,
    select: { gates: true },
  });
  if (reclamation === undefined && reclamationId !== undefined) return notFound("reclamation", reclamationId);
  const known = new Map((reclamation?.gates ?? []).map((gate) => [gate.gate, gate]));
  return done(
    gateNames.map((gate): GateLine => {
      const row = known.get(gate);
      const status = gateStatuses.find((each) => each === row?.status);
      if (row === undefined || status === undefined)
        return {
          gate,
          meaning: gateMeaning[gate],
          status: "open",
          reason: "not evaluated yet",
          evidence: null,
          generation: null,
          evidenceSeq: null,
          evaluatedAt: null,
        };
      return {
        gate,
        meaning: gateMeaning[gate],
        status,
        reason: row.reason,
        evidence: row.evidence,
        generation: String(row.generation),
        evidenceSeq: String(row.evidenceSeq),
        evaluatedAt: row.evaluatedAt,
      };
    }),
  );
}
