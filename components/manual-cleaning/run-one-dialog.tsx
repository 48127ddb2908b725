"use client";
// Asks before a list runs on one host, by its name where it erases.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { Work } from "@/components/bulk-acts/bulk-dialog";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { CleaningEstimate } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

function Failure({ error }: { error: unknown }) {
  if (error === null) return null;
  const { words, requestId } = problemOf(error);
  return (
    <Notice tone="failed" requestId={requestId}>
      {words}
    </Notice>
  );
}

interface RunOneProps {
  host: { readonly id: string; readonly name: string; readonly stateVersion: string };
  work: Work;
  estimate: CleaningEstimate | undefined;
  words: string;
  onClose: () => void;
}

/** Goes to the host's page when it was taken. */
export function RunOneDialog({ host, work, estimate, words, onClose }: RunOneProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const say = useSay();
  const start = useMutation(
    trpc.cleaning.start.mutationOptions({
      onSuccess: () => {
        say(`Manual cleaning: requested on ${host.name}`);
        router.push(routes.host(host.name));
      },
    }),
  );
  const erases = estimate?.erases ?? [];
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${words}?`}
      consequence={
        <>
          <p>{hostActions.clean.consequence}</p>
          {erases.length === 0 ? null : (
            <p>
              {erases.length === 1
                ? `Everything on the drive ${erases[0]?.serial ?? ""} is erased.`
                : `Everything on ${erases.length} drives is erased.`}{" "}
              This cannot be undone.
            </p>
          )}
          {estimate?.abandons == null ? null : <p>{estimate.abandons.number} ends as abandoned.</p>}
        </>
      }
      confirmWords={words}
      cancelWords="Cancel"
      busy={start.isPending || start.isSuccess}
      error={<Failure error={start.error} />}
      onConfirm={() => start.mutate({ hostId: host.id, stateVersion: host.stateVersion, ...work })}
      {...(estimate?.steps.some((step) => step.erases) === true ? { typeName: host.name } : {})}
    />
  );
}
