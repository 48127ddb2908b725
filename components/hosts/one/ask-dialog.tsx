"use client";
// Confirms an act on a host: states what it will do, and asks for a reason or the host's name if needed.
import { noReason, ReasonFields, reasonSchema, type Reason } from "@/components/hosts/one/reason-fields";
import { askText } from "@/components/hosts/one/ask-text";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
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

export function AskDialog(props: AskDialogProps) {
  const { host, action, send, onClose, onDone } = props;
  if (needsReason(action)) return <ReasonDialog {...props} />;
  return (
    <ActDialog
      {...askText(host, action)}
      send={() => send(noReason)}
      said={acceptedText(action, host)}
      onClose={onClose}
      onDone={onDone}
      typeName={needsName(action) ? host.name : undefined}
    />
  );
}

function ReasonDialog({ host, action, send: act, onClose, onDone }: AskDialogProps) {
  const held = action.intent === "hold" ? host.asked.hold : null;
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: { ...noReason, reason: held?.reason ?? "" },
    validators: { onChange: reasonSchema },
    onSubmit: ({ value, formApi }) => send(formApi, acceptedText(action, host), () => act(value)),
  });
  return (
    <form.AppForm>
      <FormDialog {...askText(host, action)} schema={reasonSchema} problem={problem} onClose={onClose}>
        <ReasonFields form={form} timed={action.intent === "hold"} />
      </FormDialog>
    </form.AppForm>
  );
}

/** The server has accepted the act; the controller carries it out later. */
export const acceptedText = (action: HostAction, host: HostDetail): string =>
  `${action.words}: requested on ${host.name}`;
