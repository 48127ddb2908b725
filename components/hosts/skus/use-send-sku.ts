"use client";
// Submits a SKU form; SKU queries are refetched after every answer, success or not.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useSend } from "@/components/ui/form/use-send";

export function useSendSku(onAccepted: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onDone = () => void queryClient.invalidateQueries({ queryKey: trpc.skus.pathKey() });
  return useSend({ onAccepted, onDone });
}
