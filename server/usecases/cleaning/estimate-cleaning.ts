// What a manual cleaning of one host will take: time, restarts, what it erases, what cannot be stopped, and what it ends.
import { sql } from "kysely";
import { manualFaults, traitRefusal } from "@/server/domain/cleaning/plan/manual";
import { refusal } from "@/server/domain/lifecycle/intents";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { CleaningEstimate } from "@/server/contract/cleaning/cleaning-answers";
import { estimatedSteps, estimateOf } from "@/server/usecases/cleaning/estimated-steps";
import { offeredBy, readKnownHost } from "@/server/usecases/cleaning/known-host";
import { findWork } from "@/server/usecases/cleaning/start-cleaning";
import type { WorkRequest } from "@/server/usecases/cleaning/start-cleaning";
import { nothingKnown } from "@/server/domain/cleaning/steps/step";
import { modelDurations } from "@/server/usecases/cleaning/model-durations";
import { nearest, pastDurations } from "@/server/usecases/cleaning/step-durations";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const locks = "power, provide and release are refused while it runs";

/** Reads only. `cleaning.start` refuses what this reports as wrong. */
export async function estimateCleaning(
  { database }: Backend,
  actor: Actor,
  { hostId, ...asked }: { readonly hostId: string } & WorkRequest,
): Promise<Outcome<CleaningEstimate>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const work = await findWork(database, asked);
  if (!work.ok) return work;
  const [host, facts] = await Promise.all([
    readKnownHost(database, hostId),
    readHostFacts(database, sql`r.host_id = ${hostId}::uuid`),
  ]);
  if (host === null || facts === null) return notFound("host", hostId);
  const offered = offeredBy(host.agent?.managers ?? []);
  const { techniques } = host.policy.sanitization.erase;
  const { steps } = work.value;
  const [past, ofModels, open, debtDrives] = await Promise.all([
    pastDurations(database, { id: hostId, skuId: host.sku?.id ?? null }, steps),
    modelDurations(
      database,
      { known: { ...(host.known ?? nothingKnown), hardwareType: host.hardwareType }, offered, techniques },
      steps,
    ),
    database.reclamation.findFirst({
      where: { hostId, endedAt: null },
      select: { number: true, kind: true },
    }),
    countDebtDrives(database, host.serial),
  ]);
  const faults = manualFaults(steps, offered);
  const stopped = open !== null && isFailed(host.state);
  return done({
    faults,
    refusal: refusal("clean", facts) ?? (work.value.runbook && traitRefusal(work.value.runbook, host.traits)),
    ...estimateOf(estimatedSteps(host, steps, { faults, past: nearest(past, ofModels) })),
    locks,
    endState: "Manageable",
    abandons: stopped ? { number: `R-${open.number}`, kind: open.kind, debtDrives } : null,
    debtDrives,
  });
}

/** Number of drives that the chassis owes. */
async function countDebtDrives(database: Database, chassisSerial: string | null): Promise<number> {
  if (chassisSerial === null) return 0;
  const debts = await database.debt.findMany({
    where: { chassisSerial, clearedAt: null },
    select: { driveSerials: true },
  });
  return new Set(debts.flatMap(({ driveSerials }) => driveSerials)).size;
}
