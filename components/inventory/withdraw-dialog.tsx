"use client";
// Withdraws the disposition of a drive: nobody answers for the drive any more.
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import type { HostDetail } from "@/server/surfaces/trpc/types";

interface WithdrawDialogProps {
  host: HostDetail;
  drive: string;
  onClose: () => void;
  onDone: () => void;
}

const schema = z.object({ reason: reasonText() });

export function WithdrawDialog({ host, drive, onClose, onDone }: WithdrawDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: { reason: "" },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `Disposition of drive ${drive} withdrawn`, () =>
        client.host.withdrawDisposition.mutate({ hostId: host.id, drive, ...schema.parse(value) }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Withdraw the disposition of drive ${drive}?`}
        consequence={
          <p>
            {host.name} owes drive {drive} again: it must be found and erased, or get another disposition. If
            the host is Ready and not in use, it is checked again before it is allocated. The withdrawn
            disposition stays on record.
          </p>
        }
        confirmWords="Withdraw"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="reason">
          {(field) => <field.TextAreaField label="Reason" hint="For example, where the drive was found." />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
