"use client";
// Submits an image form; the images are refetched after every answer, success or not.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useSend } from "@/components/ui/form/use-send";

/** Refetches the images. */
export function useRefreshImages(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: trpc.images.pathKey() });
}

export const useSendImage = (onAccepted: () => void) => useSend({ onAccepted, onDone: useRefreshImages() });
