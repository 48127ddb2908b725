"use client";
// What the list will take on a host, worked out by the server when the typing rests.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { stepsOf, type OrderItem } from "@/components/plans/order";
import { inOrderOf, type AskedEstimate, type OrderedEstimate } from "@/components/plans/take";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { manualFaults, type ManualFault, type ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { CatalogueStep } from "@/server/surfaces/trpc/types";

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
  readonly known: OrderedEstimate | undefined;
  readonly error: unknown;
  readonly refetch: () => void;
}

/** Of the list as it is; until it is answered for, each step keeps what was said of it before. */
export function useEstimate(hostId: string | null, items: readonly OrderItem[]): Estimated {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const settled = useSettled(items);
  const enabled = hostId !== null && settled.length > 0;
  const query = useQuery({
    // With the keys of the steps, which the server does not know: two lists of like steps are two questions.
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
