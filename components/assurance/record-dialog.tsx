"use client";
// Records that a procedure was carried out on one host.
import { useState } from "react";
import {
  beginning,
  bring,
  RecordFields,
  recordSchema,
  workOf,
  type Files,
} from "@/components/assurance/record-fields";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";

interface RecordDialogProps {
  readonly host: { readonly id: string; readonly name: string };
  readonly procedure: Procedure;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function useRecordForm({ host, procedure, onClose, onDone }: RecordDialogProps, files: Files) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState(() => beginning(procedure));
  const form = useAppForm({
    defaultValues,
    validators: { onChange: recordSchema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `Recorded ${procedure.name} on ${host.name}; another person signs it off`, async () =>
        client.procedures.record.mutate({
          hosts: [{ hostId: host.id, serial: value.serial }],
          ...workOf(procedure, value),
          files: await bring(files),
        }),
      ),
  });
  return { form, problem };
}

export function RecordDialog(props: RecordDialogProps) {
  const { host, procedure, onClose } = props;
  const [files, setFiles] = useState<Files>({});
  const { form, problem } = useRecordForm(props, files);
  return (
    <form.AppForm>
      <FormDialog
        title={`${procedure.title} on ${host.name}`}
        consequence={
          <p>
            Version {procedure.version}. Another person must sign it off. Because somebody was at the machine,
            the host is checked again in a new boot before it becomes Ready.
          </p>
        }
        confirmWords="Record"
        schema={recordSchema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="serial">
          {(field) => (
            <field.TextField label="Serial number" hint="as read or scanned at the machine" mono autoFocus />
          )}
        </form.AppField>
        <RecordFields
          form={form}
          procedure={procedure}
          onFiles={(shows, list) => setFiles((known) => ({ ...known, [shows]: list }))}
        />
      </FormDialog>
    </form.AppForm>
  );
}
