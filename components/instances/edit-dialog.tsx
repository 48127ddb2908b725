"use client";
// Edits an instance's name, description and labels, which belong to the tenant.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { labelsText } from "@/components/ui/form/label-lines";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { ownText } from "@/components/instances/instance-form";

const schema = z.object(ownText);

/** Mounted anew each time it opens. */
export function EditInstanceDialog({ row, onClose }: { row: InstanceRow; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const onDone = () => void queryClient.invalidateQueries({ queryKey: trpc.instances.pathKey() });
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [texts] = useState({
    name: row.name,
    description: row.description ?? "",
    labels: labelsText(row.labels),
  });
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { name, description, labels } = schema.parse(value);
      return send(formApi, `${name} saved`, () =>
        client.instances.update.mutate({
          instanceId: row.id,
          name,
          description: description === "" ? null : description,
          labels,
        }),
      );
    },
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Edit ${row.name}`}
        consequence={
          <p>The machine is not affected. Programs that find the instance by its name need the new name.</p>
        }
        confirmWords="Save instance"
        schema={schema}
        edits
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="name">{(field) => <field.TextField label="Name" />}</form.AppField>
        <form.AppField name="description">
          {(field) => <field.TextAreaField label="Description" aside="optional" maxLength={1024} />}
        </form.AppField>
        <form.AppField name="labels">
          {(field) => (
            <field.TextAreaField label="Labels" hint="one per line, such as team=vision" maxLength={20_000} />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
