"use client";
// What the list will take on a host, worked out by the server when the typing rests.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { manualFaults, type ManualFault, type ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { CatalogueStep, CleaningEstimate } from "@/server/surfaces/trpc/types";

const settleMs = 300;
const refreshMs = 2000;

/** The value as it was when it last stayed for a moment; told apart by what it says. */
function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState({ text, value });
  useEffect(() => {
    if (settled.text === text) return;
    const timer = setTimeout(() => setSettled({ text, value }), settleMs);
    return () => clearTimeout(timer);
  }, [settled.text, text, value]);
  return settled.value;
}

/** The check that the server makes again when it runs: every fault at once. */
export function useFaults(
  steps: readonly ManualStep[],
  catalogue: readonly CatalogueStep[],
): readonly ManualFault[] {
  const offered = useMemo(
    () =>
      catalogue
        .filter(({ manager }) => manager !== null)
        .map(({ interface: name, step, defaultPriority, abortable }) => ({
          interface: name,
          step,
          priority: defaultPriority,
          abortable,
        })),
    [catalogue],
  );
  return useMemo(() => manualFaults(steps, offered), [steps, offered]);
}

interface Estimated {
  /** Undefined: nothing to work out, or not known yet. */
  readonly estimate: CleaningEstimate | undefined;
  readonly error: unknown;
  readonly refetch: () => void;
}

/** Of the list as it is, with the last answer kept while a new one is on its way. */
export function useEstimate(hostId: string | null, steps: readonly ManualStep[]): Estimated {
  const trpc = useTRPC();
  const settled = useSettled(steps);
  const enabled = hostId !== null && settled.length > 0;
  const query = useQuery({
    ...trpc.cleaning.estimate.queryOptions({ hostId: hostId ?? "", steps: [...settled] }),
    enabled,
    placeholderData: keepPreviousData,
  });
  useLiveRefresh(() => query.refetch(), { hostId: hostId ?? undefined, everyMs: refreshMs, enabled });
  return {
    estimate: enabled && steps.length > 0 ? query.data : undefined,
    error: enabled ? query.error : null,
    refetch: () => void query.refetch(),
  };
}
