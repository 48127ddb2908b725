"use client";
// Sends a form about a SKU; the pages of SKUs are read again after every answer.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useSend } from "@/components/ui/form/use-send";

export function useSendSku(onAccepted: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useSend({
    onAccepted,
    onDone: () => void queryClient.invalidateQueries({ queryKey: trpc.skus.pathKey() }),
  });
}
