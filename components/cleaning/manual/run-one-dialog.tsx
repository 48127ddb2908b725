"use client";
// Confirms running a list on one host; if it erases, the host's name has to be typed.
import { useRouter } from "next/navigation";
import type { Work } from "@/components/hosts/bulk/bulk-dialog";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { CleaningEstimate } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

interface RunOneProps {
  host: { readonly id: string; readonly name: string; readonly stateVersion: string };
  work: Work;
  estimate: CleaningEstimate | undefined;
  words: string;
  onStarted: () => void;
  onClose: () => void;
}

/** Opens the host's page once accepted. */
export function RunOneDialog({ host, work, estimate, words, onStarted, onClose }: RunOneProps) {
  const router = useRouter();
  const erases = estimate?.erases ?? [];
  return (
    <ActDialog
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
      send={async (_, client) => {
        await client.cleaning.start.mutate({
          hostId: host.id,
          stateVersion: host.stateVersion,
          ...work,
        });
        onStarted();
        router.push(routes.host(host.name));
      }}
      said={`Manual cleaning: requested on ${host.name}`}
      onClose={onClose}
      typeName={estimate?.steps.some((step) => step.erases) === true ? host.name : undefined}
    />
  );
}
