"use client";
// Sends a form about an image; the page is read again after every answer.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useSend } from "@/components/ui/form/use-send";

/** Reads the images again. */
export function useRefreshImages(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: trpc.images.pathKey() });
}

export const useSendImage = (onAccepted: () => void) => useSend({ onAccepted, onDone: useRefreshImages() });
