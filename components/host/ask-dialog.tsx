"use client";
// Says what an act on a host will do and asks, for a reason or for the name where the act needs one.
import { useState } from "react";
import { noReason, ReasonFields, type Reason } from "@/components/host/reason-fields";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

/** Acts that take something for good: the name is typed. */
export const needsName = (action: HostAction) => action.intent === "forceDelete";
const needsReason = (action: HostAction) =>
  action.intent === "setMaintenance" || action.intent === "confirmUntouched" || action.intent === "hold";
/** Asks before it acts, or leads to a page that does; the others act at once. */
export const asks = (action: HostAction) => action.danger || needsReason(action);

interface AskDialogProps {
  host: HostDetail;
  action: HostAction;
  send: (reason: Reason) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}

export function AskDialog({ host, action, send, onClose, onDone }: AskDialogProps) {
  const held = action.intent === "hold" ? host.asked.hold : null;
  const [reason, setReason] = useState<Reason>({ ...noReason, reason: held?.reason ?? "" });
  const wantsReason = needsReason(action);
  return (
    <ActDialog
      title={`${action.words}: ${host.name}?`}
      consequence={<p>{action.consequence}</p>}
      confirmWords={action.words}
      send={() => send(reason)}
      said={acceptedWords(action, host)}
      onClose={onClose}
      onDone={onDone}
      missing={wantsReason && reason.reason.trim() === "" ? "Give a reason first" : undefined}
      field={
        wantsReason ? (
          <ReasonFields value={reason} onChange={setReason} timed={action.intent === "hold"} />
        ) : null
      }
      typeName={needsName(action) ? host.name : undefined}
    />
  );
}

/** The server has taken it; the host does it when its turn comes. */
export const acceptedWords = (action: HostAction, host: HostDetail): string =>
  `${action.words}: asked for on ${host.name}`;
