"use client";
// Edits a host's labels, all at once.
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { labelsText, typedLabels } from "@/components/ui/form/label-lines";
import { useSend } from "@/components/ui/form/use-send";
import { askText } from "@/components/hosts/one/ask-text";
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

interface LabelsDialogProps {
  readonly host: HostDetail;
  readonly action: HostAction;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const schema = z.object({ labels: typedLabels(hostLabels) });

export function LabelsDialog({ host, action, onClose, onDone }: LabelsDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [texts] = useState({ labels: labelsText(host.labels) });
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `Labels of ${host.name} saved`, () =>
        client.host.setLabels.mutate({ hostId: host.id, ...schema.parse(value) }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog {...askText(host, action)} schema={schema} problem={problem} edits onClose={onClose}>
        <form.AppField name="labels">
          {(field) => (
            <field.TextAreaField label="Labels" hint="one per line, such as team=vision" maxLength={6_000} />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
