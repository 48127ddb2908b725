// A brake with everything that helps to find its cause: the failures, what they have in common, and which hosts it can be kept on for.
import { compare } from "@/server/domain/cleaning/queue/distinctions";
import type { Having } from "@/server/domain/cleaning/queue/distinctions";
import { isPart, narrowedTo } from "@/server/domain/cleaning/queue/narrowed";
import type { Part } from "@/server/domain/cleaning/queue/narrowed";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { isFailed, storedState } from "@/server/domain/lifecycle/states";
import type { BrakeInvestigation } from "@/server/contract/cleaning/queue-answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { readFailures, readHavings } from "@/server/usecases/cleaning/queue/brake-evidence";
import type { FailureRow } from "@/server/usecases/cleaning/queue/brake-evidence";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** Failures in an answer; the rest is counted. */
const most = 200;

function failureOf(row: FailureRow): BrakeInvestigation["failures"][number] {
  const now = row.now === null ? null : storedState(row.now);
  return {
    hostId: row.host_id,
    name: row.name,
    reclamation: `R-${row.number}`,
    cause: row.state === null ? null : describeState(storedState(row.state)).label,
    reason: row.reason,
    failedAt: row.failed_at,
    now: now === null ? null : describeState(now).label,
    stillFailed: now !== null && isFailed(now),
  };
}

/** The values of a brake's failed hosts that it can be kept on for. Its own value would keep all of it. Pure. */
export const partsOf = (
  brake: { readonly dimension: string; readonly value: string },
  found: readonly Having[],
): readonly Part[] =>
  found
    .map(({ property, value }) => ({ dimension: property, value }))
    .filter(isPart)
    .filter(({ dimension, value }) => dimension !== brake.dimension || value !== brake.value);

export async function investigateBrake(
  { database }: Backend,
  actor: Actor,
  { brakeId }: { readonly brakeId: string },
): Promise<Outcome<BrakeInvestigation>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const brake = await database.brake.findUnique({ where: { id: brakeId }, include: { site: true } });
  if (brake === null) return notFound("brake", brakeId);
  const [failures, { others, found }] = await Promise.all([
    readFailures(database, brakeId),
    readHavings(database, brakeId),
  ]);
  const hosts = new Set(failures.map((row) => row.host_id)).size;
  const { telling, everywhere } = compare(found, { failed: hosts, others });
  const parts = partsOf(brake, found);
  return done({
    id: brake.id,
    site: brake.site.name,
    message: brake.message,
    engagedAt: brake.engagedAt,
    isOn: brake.liftedAt === null && brake.asks.length === 0,
    narrowedTo: narrowedTo.parse(brake.narrowedTo),
    hosts,
    others,
    failures: failures.slice(0, most).map(failureOf),
    moreFailures: Math.max(0, failures.length - most),
    telling: telling.map((having) => ({
      ...having,
      part:
        parts.find(({ dimension, value }) => dimension === having.property && value === having.value) ?? null,
    })),
    everywhere,
  });
}
