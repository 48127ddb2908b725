"use client";
// Lets a host leave with leftovers that its BMC does not remove: exactly those listed, with a reason.
import { useState } from "react";
import { useTRPCClient } from "@/components/trpc/trpc";
import { ReasonDialog } from "@/components/ui/form/reason-dialog";
import type { HostDialogProps } from "@/components/hosts/decommission/decommission-dialog";
import { askText } from "@/components/hosts/one/ask-text";
import { standing } from "@/server/domain/hosts/decommission/leftovers";

export function AcceptLeftoversDialog({ host, action, onClose, onDone }: HostDialogProps) {
  const client = useTRPCClient();
  // The list as shown when the dialog opened, so that leftovers which appear later are not accepted unseen.
  const [shown] = useState(() => standing(host.leaving?.leftovers ?? []));
  const { consequence, ...words } = askText(host, action);
  return (
    <ReasonDialog
      {...words}
      consequence={
        <>
          {consequence}
          <ul>
            {shown.map(({ key, what, message }) => (
              <li key={key}>
                {what}
                {message === null ? null : <>: {message}</>}
              </li>
            ))}
          </ul>
        </>
      }
      hint="Recorded with your name."
      send={({ reason }) =>
        client.host.acceptLeftovers.mutate({
          hostId: host.id,
          stateVersion: host.stateVersion,
          reason,
          keys: shown.map(({ key }) => key),
        })
      }
      said={`Leftovers of ${host.name} accepted`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
