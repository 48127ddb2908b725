"use client";
// Requests the decommission of a host: the reason, whether to keep the BMC account, and the host's name as confirmation.
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import { askText } from "@/components/hosts/one/ask-text";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

export interface HostDialogProps {
  readonly host: HostDetail;
  readonly action: HostAction;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const schema = z.object({ reason: reasonText(), keepAccount: z.boolean() });

export function DecommissionDialog({ host, action, onClose, onDone }: HostDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: { reason: "", keepAccount: false },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `Decommission requested on ${host.name}`, () =>
        client.host.decommission.mutate({
          hostId: host.id,
          stateVersion: host.stateVersion,
          ...schema.parse(value),
        }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        {...askText(host, action)}
        schema={schema}
        problem={problem}
        onClose={onClose}
        typeName={host.name}
      >
        <form.AppField name="reason">
          {(field) => (
            <field.TextAreaField label="Reason" hint="Kept in the record, for example an RMA number." />
          )}
        </form.AppField>
        <form.AppField name="keepAccount">
          {(field) => <field.CheckField label="Keep the BMC account that Reclaim signs in with" />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
