"use client";
// Says what an act on a host will do and asks, for a reason or for the name where the act needs one.
import { useState, type ReactNode } from "react";
import { noReason, ReasonFields, type Reason } from "@/components/cleaning/reason-fields";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

/** Acts that take something for good: the name is typed. */
export const needsName = (action: HostAction) => action.intent === "forceDelete";
const needsReason = (action: HostAction) => action.intent === "setMaintenance" || action.intent === "confirmUntouched" || action.intent === "hold";
/** Asks before it acts, or leads to a page that does; the others act at once. */
export const asks = (action: HostAction) => action.danger || needsReason(action);

interface AskDialogProps {
  host: HostDetail;
  action: HostAction;
  busy: boolean;
  error: ReactNode;
  onClose: () => void;
  onConfirm: (reason?: Reason) => void;
}

export function AskDialog({ host, action, busy, error, onClose, onConfirm }: AskDialogProps) {
  const held = action.intent === "hold" ? host.asked.hold : null;
  const [reason, setReason] = useState<Reason>({ ...noReason, reason: held?.reason ?? "" });
  const wantsReason = needsReason(action);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${action.words}: ${host.name}?`}
      consequence={<p>{action.consequence}</p>}
      confirmWords={action.words}
      cancelWords="Leave it"
      busy={busy}
      error={error}
      onConfirm={() => onConfirm(wantsReason ? reason : undefined)}
      missing={wantsReason && reason.reason.trim() === "" ? "Give a reason first" : undefined}
      field={wantsReason ? <ReasonFields value={reason} onChange={setReason} timed={action.intent === "hold"} /> : null}
      {...(needsName(action) ? { typeName: host.name } : {})}
    />
  );
}
