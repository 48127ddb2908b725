// Starts a manual cleaning of one host: an ordered list of steps, or a runbook's, checked as a whole before anything runs.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { z } from "zod";
import { manualFaults, traitRefusal } from "@/server/domain/cleaning/plan/manual";
import type { LockedRunbook, ManualStep } from "@/server/domain/cleaning/plan/manual";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { readOffered } from "@/server/usecases/cleaning/known-host";
import { storedSteps } from "@/server/usecases/cleaning/runbooks/runbooks";
import { faultProblem } from "@/server/usecases/cleaning/step-faults";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import { unchanged, defineTellingAct } from "@/server/usecases/define-act";
import type { Target } from "@/server/usecases/define-act";
import { ask } from "@/server/usecases/hosts/acts/request-of-host";
import { factsColumns, factsFrom, toHostFacts } from "@/server/usecases/hosts/host-facts";
import type { FactsRow, HostFacts } from "@/server/usecases/hosts/host-facts";
import { done, notFound, refused, sentence } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** The host to clean; its traits decide which runbooks may run on it. */
export type CleanTarget = HostFacts & { readonly traits: readonly string[] };

async function findTarget(reader: SqlReader, id: string): Promise<Target<CleanTarget> | null> {
  const [row] = await queryRows(
    reader,
    sql<FactsRow & { readonly traits: readonly string[] }>`
    SELECT ${factsColumns}, x.traits FROM ${factsFrom} JOIN host x ON x.id = r.host_id WHERE r.host_id = ${id}::uuid`,
  );
  return row === undefined
    ? null
    : { id, belongs: { tenantId: row.tenant_id }, value: { ...toHostFacts(row), traits: row.traits } };
}

export interface WorkRequest {
  readonly steps?: readonly ManualStep[] | undefined;
  readonly runbookId?: string | undefined;
  readonly runbookName?: string | undefined;
}

export interface ManualWork {
  readonly steps: readonly ManualStep[];
  /** Null for a list without a runbook, which traits do not restrict. */
  readonly runbook: (LockedRunbook & { readonly id: string }) | null;
}

/** The requested work of a manual cleaning: exactly one of the three. */
export async function findWork(reader: SqlReader, asked: WorkRequest): Promise<Outcome<ManualWork>> {
  const { steps, runbookId, runbookName } = asked;
  if ([steps, runbookId, runbookName].filter((one) => one !== undefined).length !== 1)
    return refused("invalid", "Give either steps or a runbook.", "steps");
  if (steps !== undefined) return done({ steps, runbook: null });
  const which = runbookId === undefined ? sql`name = ${runbookName}` : sql`id = ${runbookId}::uuid`;
  const [row] = await queryRows(
    reader,
    sql<LockedRunbook & { readonly id: string; readonly steps: unknown }>`
    SELECT id::text, name, traits, steps FROM runbook WHERE ${which}`,
  );
  if (row === undefined) return notFound("runbook", runbookId ?? runbookName ?? "");
  const { steps: stored, ...runbook } = row;
  return done({ steps: storedSteps(stored), runbook });
}

/** Whether the same cleaning is already pending, such as after a double click. */
async function asksTheSame(
  reader: SqlReader,
  hostId: string,
  payload: { readonly steps: unknown; readonly runbook: unknown },
): Promise<boolean> {
  const { steps, runbook } = payload;
  const rows = await queryRows(
    reader,
    sql<{ same: boolean }>`
    SELECT payload -> 'steps' = ${JSON.stringify(steps)}::jsonb AND payload -> 'runbook' = ${JSON.stringify(runbook)}::jsonb AS same FROM signal WHERE host_id = ${hostId}::uuid AND kind = 'clean'`,
  );
  return rows.length > 0 && rows.every(({ same }) => same);
}

/** @param faults whether a list with an unknown step or a wrong argument is refused, or the controller fails the host with the faults and runs no step */
const cleaningAct = (faults: "refused" | "failHost") =>
  defineTellingAct({
    ...cleaning.start,
    input: cleaning.start.input.extend({
      runbookName: z.string().optional(),
      withoutAgent: z.literal(true).optional(),
    }),
    names: ({ hostId }) => ({ kind: "host", id: hostId }),
    find: ({ tx }, { hostId }) => findTarget(tx, hostId),
    run: async ({ tx, by }, host, { hostId, stateVersion, withoutAgent, ...asked }) => {
      const work = await findWork(tx, asked);
      if (!work.ok) return work;
      const found =
        faults === "refused"
          ? faultProblem(manualFaults(work.value.steps, await readOffered(tx, hostId)))
          : null;
      // safety: manual cleaning: every fault before anything runs
      if (found !== null) return { ok: false, problem: found };
      // safety: manual cleaning: a trait shared with the runbook (null)
      const locked = work.value.runbook === null ? null : traitRefusal(work.value.runbook, host.traits);
      if (locked !== null) return refused("notAllowedNow", sentence(locked), "runbookId");
      const runbook =
        work.value.runbook === null ? null : { id: work.value.runbook.id, name: work.value.runbook.name };
      const steps = work.value.steps.map((step) => ({ ...step }));
      if (host.pending.includes("clean")) {
        return (await asksTheSame(tx, hostId, { steps, runbook }))
          ? unchanged({ accepted: true as const })
          : refused("conflict", "Another cleaning of this host was requested and has not started yet.");
      }
      return ask(host, {
        signal: {
          kind: "clean",
          payload: {
            by,
            steps,
            runbook,
            bulkId: null,
            ...(withoutAgent === undefined ? {} : { withoutAgent }),
          },
        },
        stateVersion,
        facts: {
          runbook: runbook?.name ?? null,
          steps: steps.map((step) =>
            Object.keys(step.args).length === 0
              ? stepName(step)
              : `${stepName(step)} ${JSON.stringify(step.args)}`,
          ),
        },
      });
    },
  });

export const startCleaning = cleaningAct("refused");

/** Ironic's rule (docs/cleaning.md#manual-cleaning): the host goes to `Failed/CleanFailed` with the faults, and `manage` is the way out. */
export const startCleaningAsIronic = cleaningAct("failHost");
