"use client";
// State of the manual cleaning page: the list being built, the runbook it came from, the estimate, and why it cannot run.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Work } from "@/components/hosts/bulk/bulk-dialog";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { manualHref, type CleanTarget } from "@/components/cleaning/manual/manual-view";
import { emptyOrder, orderOf, stepsOf } from "@/components/cleaning/plan/order";
import { formatSum } from "@/components/cleaning/plan/take";
import { useDraft } from "@/components/cleaning/plan/use-draft";
import { useEstimate, useFaults } from "@/components/cleaning/plan/use-estimate";
import { useTRPC } from "@/components/trpc/trpc";
import { manualSteps, type ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { Catalogue, CleaningEstimate, EstimatedStep, RunbookLine } from "@/server/surfaces/trpc/types";

const refreshMs = 2000;

/** What to clean. */
export interface Chosen {
  readonly target: Exclude<CleanTarget, { kind: "none" }>;
  /** The host; with several hosts, the one that serves as an example. */
  readonly host: string;
  readonly count: number;
  /** The runbook named in the URL. */
  readonly runbook: RunbookLine | null;
}

/** The runbook while the list is unchanged. It then runs as that runbook, with its trait lock. */
function untouched(runbook: RunbookLine | null, steps: readonly ManualStep[]): RunbookLine | null {
  return runbook !== null && JSON.stringify(steps) === JSON.stringify(stepsOf(orderOf(runbook.steps)))
    ? runbook
    : null;
}

/** Why this host may not run the runbook; null if it may. */
function lockedText(runbook: RunbookLine | null, { host }: Catalogue): string | null {
  return runbook === null || runbook.traits.some((trait) => host?.traits.includes(trait) === true)
    ? null
    : `The host shares no trait with the runbook ${runbook.name}, which is for ${runbook.traits.join(", ")}`;
}

/** "runbook Blink: 5 steps, about 20 min". */
function formatPlan(runbook: RunbookLine | null, estimate: CleaningEstimate | undefined, count: number) {
  const takes = estimate === undefined ? "" : formatSum(estimate, count);
  if (runbook === null) return takes;
  return `runbook ${runbook.name}${takes === "" ? "" : `: ${takes}`}`;
}

const nothingKnown: ReadonlyMap<number, EstimatedStep> = new Map();

export function useManualPlan({ target, host, runbook: opened }: Chosen) {
  const trpc = useTRPC();
  const { data: scopes } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const { data: catalogue, refetch } = useSuspenseQuery(
    trpc.cleaning.catalogue.queryOptions({ kind: "host", host }),
  );
  useLiveRefresh(refetch, { hostId: catalogue.subject.id, everyMs: refreshMs });
  const [runbook, setRunbook] = useState(opened);
  const [order, setOrder] = useState(() => (opened === null ? emptyOrder : orderOf(opened.steps)));
  const steps = useMemo(() => stepsOf(order), [order]);
  const [begun] = useState(steps);
  const draft = useDraft({
    name: manualHref({ target, runbookId: opened?.id ?? null }),
    value: steps,
    initial: begun,
    schema: manualSteps,
    onRestore: (kept) => setOrder(orderOf(kept)),
  });
  const faults = useFaults(steps, catalogue.steps);
  const { known, error, refetch: estimateAgain } = useEstimate(catalogue.subject.id, order.items);
  const estimate = known?.estimate;
  const asRunbook = untouched(runbook, steps);
  const work: Work = asRunbook === null ? { steps } : { runbookId: asRunbook.id };
  const ofOne = lockedText(asRunbook, catalogue) ?? estimate?.refusal ?? null;
  const refusal = !scopes.mayClean ? "Your role may not clean hosts" : target.kind === "one" ? ofOne : null;
  return {
    scopes,
    catalogue,
    order,
    setOrder,
    steps,
    faults,
    taken: { estimate, byKey: known?.byKey ?? nothingKnown, error, refetch: estimateAgain },
    refusal,
    words: formatPlan(asRunbook, estimate, steps.length),
    work,
    /** The runbook that the list still equals. */
    asRunbook,
    draft,
    /** Back to the initial list. */
    discard: () => {
      setRunbook(opened);
      setOrder(orderOf(begun));
    },
    /** Replaces the list with a runbook's. */
    open: (chosen: RunbookLine) => {
      setRunbook(chosen);
      setOrder(orderOf(chosen.steps));
    },
    /** The list stays, and now belongs to the saved runbook. */
    saved: setRunbook,
  };
}

export type ManualPlan = ReturnType<typeof useManualPlan>;

/** Numbers of the erasing steps, counted from 1. */
export const erasingSteps = ({ order, catalogue }: ManualPlan): readonly number[] =>
  order.items.flatMap((item, index) =>
    catalogue.steps.some((step) => step.name === `${item.interface}.${item.step}` && step.erases)
      ? [index + 1]
      : [],
  );
