// Cleans one host by hand: an ordered list of steps, or a runbook's, checked as a whole before anything runs.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { z } from "zod";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { Transaction } from "@/server/db/prisma";
import { offeredBy, readKnownHost } from "@/server/usecases/cleaning/known-host";
import { faultProblem, findWork, traitRefusal, workFaults } from "@/server/usecases/cleaning/manual-work";
import { cleaning } from "@/server/contract/cleaning";
import { defineAct } from "@/server/usecases/define-act";
import { ask, findHost } from "@/server/usecases/hosts/acts/ask-of-host";
import { done, notFound, refused } from "@/server/usecases/problem";

/** Whether the same cleaning waits to be read already: asked twice by one click. */
async function asksTheSame(
  tx: Transaction,
  hostId: string,
  payload: { readonly steps: unknown; readonly runbook: unknown },
): Promise<boolean> {
  const { steps, runbook } = payload;
  const rows = await queryRows(
    tx,
    sql<{ same: boolean }>`
    SELECT payload -> 'steps' = ${JSON.stringify(steps)}::jsonb AND payload -> 'runbook' = ${JSON.stringify(runbook)}::jsonb AS same FROM signal WHERE host_id = ${hostId}::uuid AND kind = 'clean'`,
  );
  return rows.length > 0 && rows.every(({ same }) => same);
}

/** @param faults what becomes of a list with an unknown step or a wrong argument: it is refused, or the controller stops the host with them and runs no step */
const cleaningAct = (faults: "refused" | "failHost") =>
  defineAct({
    ...cleaning.start,
    input: cleaning.start.input.extend({ withoutAgent: z.literal(true).optional() }),
    names: ({ hostId }) => ({ kind: "host", id: hostId }),
    find: ({ tx }, { hostId }) => findHost(tx, hostId),
    run: async ({ tx, by }, host, { hostId, stateVersion, withoutAgent, ...asked }) => {
      const work = await findWork(tx, asked);
      if (!work.ok) return work;
      const known = await readKnownHost(tx, hostId);
      if (known === null) return notFound("host", hostId);
      const found =
        faults === "refused"
          ? faultProblem(workFaults(work.value, offeredBy(known.agent?.managers ?? [])))
          : null;
      // safety: manual cleaning: every fault before anything runs
      if (found !== null) return { ok: false, problem: found };
      // safety: manual cleaning: a trait shared with the runbook (null)
      const locked = traitRefusal(work.value, known.traits);
      if (locked !== null)
        return refused("notAllowedNow", `${locked.charAt(0).toUpperCase()}${locked.slice(1)}.`, "runbookId");
      const runbook =
        work.value.runbook === null ? null : { id: work.value.runbook.id, name: work.value.runbook.name };
      const steps = work.value.steps.map((step) => ({ ...step }));
      if (host.pending.includes("clean")) {
        return (await asksTheSame(tx, hostId, { steps, runbook }))
          ? done({ value: { accepted: true as const }, changes: [] })
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
