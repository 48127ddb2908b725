"use client";
// Submits a SKU form; SKU queries are refetched after every answer, success or not.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useSend } from "@/components/ui/form/use-send";

/** Refetches the SKUs. */
export function useRefreshSkus(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: trpc.skus.pathKey() });
}

export const useSendSku = (onAccepted: () => void) => useSend({ onAccepted, onDone: useRefreshSkus() });
