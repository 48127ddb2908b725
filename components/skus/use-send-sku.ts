"use client";
// Sends a form about a SKU; the pages of SKUs are read again after every answer.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useSend } from "@/components/ui/form/use-send";

/** Reads the SKUs again. */
export function useRefreshSkus(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: trpc.skus.pathKey() });
}

export const useSendSku = (onAccepted: () => void) => useSend({ onAccepted, onDone: useRefreshSkus() });
