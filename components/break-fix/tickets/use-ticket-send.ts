"use client";
// Submission shared by the ticket dialogs: refetches every ticket list afterwards.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useSend } from "@/components/ui/form/use-send";

export function useTicketSend(onClose: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onDone = () => void queryClient.invalidateQueries({ queryKey: trpc.tickets.pathKey() });
  return useSend({ onAccepted: onClose, onDone });
}
