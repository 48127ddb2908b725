"use client";
// What the dialogs of tickets do when they are sent: every list of tickets is read again.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useSend } from "@/components/ui/form/use-send";

export function useTicketSend(onClose: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onDone = () => void queryClient.invalidateQueries({ queryKey: trpc.tickets.pathKey() });
  return useSend({ onAccepted: onClose, onDone });
}
