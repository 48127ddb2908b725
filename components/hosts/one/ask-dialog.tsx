"use client";
// Confirms an act on a host: states what it will do, and asks for a reason or the host's name if needed.
import { noReason, reasonSchema, reasonSpecs, type Reason } from "@/components/hosts/one/reason-fields";
import { askText } from "@/components/hosts/one/ask-text";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

/** Destructive acts: the host's name has to be typed. */
export const needsName = (action: HostAction) =>
  action.intent === "forceDelete" || action.intent === "decommission";
const needsReason = (action: HostAction) =>
  action.intent === "setMaintenance" || action.intent === "confirmUntouched" || action.intent === "hold";
const formActs: ReadonlySet<HostAction["intent"]> = new Set(["setPlace", "setLabels", "setBmc"]);
/** Whether the act opens a dialog or another page; all others run at once. */
export const asks = (action: HostAction) =>
  action.danger || needsReason(action) || formActs.has(action.intent);

interface AskDialogProps {
  host: HostDetail;
  action: HostAction;
  send: (reason: Reason) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}

export function AskDialog({ host, action, send, ...rest }: AskDialogProps) {
  const shared = { ...askText(host, action), said: acceptedText(action, host), ...rest };
  if (!needsReason(action))
    return (
      <ActDialog
        {...shared}
        typeName={needsName(action) ? host.name : undefined}
        send={() => send(noReason)}
      />
    );
  const isHold = action.intent === "hold";
  return (
    <ActFormDialog
      {...shared}
      schema={reasonSchema}
      values={{ ...noReason, reason: isHold ? (host.asked.hold?.reason ?? "") : "" }}
      fields={reasonSpecs(isHold)}
      send={send}
    />
  );
}

/** The server has accepted the act; the controller carries it out later. */
export const acceptedText = (action: HostAction, host: HostDetail): string =>
  `${action.words}: requested on ${host.name}`;
