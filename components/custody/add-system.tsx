"use client";
// Makes a repair system; its token goes to who shows it once.
import { useState } from "react";
import { z } from "zod";
import { programFields, useSiteOptions } from "@/components/programs/program-fields";
import type { AddDialogProps } from "@/components/programs/programs-page";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { systemName } from "@/server/domain/repair/lease";

const schema = z.object({
  ...programFields(systemName),
});

function useAddForm({ onAdded, onDone, onClose }: AddDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState(() => ({ name: "", site: "" }));
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { name, site } = schema.parse(value);
      return send(formApi, `The repair system ${name} is added.`, async () =>
        onAdded(await client.leases.addSystem.mutate({ name, site })),
      );
    },
  });
  return { form, problem };
}

export function AddSystemDialog(props: AddDialogProps) {
  const sites = useSiteOptions();
  const { form, problem } = useAddForm(props);
  return (
    <form.AppForm>
      <FormDialog
        title="Add a repair system"
        consequence={
          <p>
            It may take clean hosts that cannot be allocated, and has any host that an operator hands over to
            it. Reclaim sends such a host nothing until it is returned.
          </p>
        }
        confirmWords="Add system"
        schema={schema}
        problem={problem}
        onClose={props.onClose}
      >
        <form.AppField name="name">{(field) => <field.TextField label="Name" mono />}</form.AppField>
        <form.AppField name="site">
          {(field) => <field.SelectField label="Site" options={sites} />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
