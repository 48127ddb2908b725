"use client";
// The server's estimate and check of the list, requested once the input settles.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { stepsOf, type OrderItem } from "@/components/cleaning/plan/order";
import { inOrderOf, type AskedEstimate, type OrderedEstimate } from "@/components/cleaning/plan/take";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { manualFaults, type ManualFault, type ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { CatalogueStep } from "@/server/surfaces/trpc/types";

const settleMs = 300;
const refreshMs = 2000;

/** A debounced value; values with equal JSON count as the same. */
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

/** All faults at once, by the same check that the server repeats before a run. */
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
  /** Undefined: nothing to estimate, or no answer yet. */
  readonly known: OrderedEstimate | undefined;
  readonly error: unknown;
  readonly refetch: () => void;
}

/** The estimate of the current list; until the server answers for it, each step keeps its previous estimate. */
export function useEstimate(hostId: string | null, items: readonly OrderItem[]): Estimated {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const settled = useSettled(items);
  const enabled = hostId !== null && settled.length > 0;
  const query = useQuery({
    // Includes the step keys, which the server does not know: two lists of equal steps are different queries.
    queryKey: [...trpc.cleaning.estimate.pathKey(), { hostId, items: settled }],
    queryFn: async ({ signal }): Promise<AskedEstimate> => ({
      items: settled,
      estimate: await client.cleaning.estimate.query(
        { hostId: hostId ?? "", steps: stepsOf({ items: settled }) },
        { signal },
      ),
    }),
    enabled,
    placeholderData: keepPreviousData,
  });
  useLiveRefresh(() => query.refetch(), { hostId: hostId ?? undefined, everyMs: refreshMs, enabled });
  const asked = enabled ? query.data : undefined;
  const known = useMemo(
    () => (asked === undefined || items.length === 0 ? undefined : inOrderOf(asked, items)),
    [asked, items],
  );
  return { known, error: enabled ? query.error : null, refetch: () => void query.refetch() };
}
