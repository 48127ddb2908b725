"use client";
// Ends an online repair: the instance can be used again.
import { useMutation } from "@tanstack/react-query";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { useSay } from "@/components/ui/toast";
import type { InstanceRow } from "@/server/surfaces/trpc/types";

interface EndDialogProps {
  row: InstanceRow;
  onClose: () => void;
  onDone: () => void;
}

export function EndRepairDialog({ row: { id, name }, onClose, onDone }: EndDialogProps) {
  const trpc = useTRPC();
  const say = useSay();
  const end = useMutation(
    trpc.instances.endRepair.mutationOptions({
      onSuccess: () => {
        say(`Online repair of ${name} ended`);
        onClose();
      },
      onSettled: onDone,
    }),
  );
  return (
    <ConfirmDialog
      open
      title={`End the online repair of ${name}?`}
      consequence={
        <p>
          The instance is Ready again, and can be released. End it when the machine is repaired, or will not
          be repaired now.
        </p>
      }
      confirmWords="End online repair"
      cancelWords="Cancel"
      onConfirm={() => end.mutate({ instanceId: id })}
      onClose={onClose}
      busy={end.isPending}
      problem={end.error === null ? undefined : problemOf(end.error)}
    />
  );
}
