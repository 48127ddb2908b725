"use client";
// Makes a repair system; its token goes to who shows it once.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { systemName } from "@/server/domain/repair/lease";

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").pipe(systemName),
  site: z.string(),
});

interface AddSystemDialogProps {
  readonly onAdded: (shown: { readonly name: string; readonly token: string }) => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function useAddForm({ onAdded, onDone, onClose }: AddSystemDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState(() => ({ name: "", site: "" }));
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { name, site } = schema.parse(value);
      return send(formApi, `The repair system ${name} is added.`, async () =>
        onAdded(await client.leases.addSystem.mutate({ name, site: site === "" ? null : site })),
      );
    },
  });
  return { form, problem };
}

export function AddSystemDialog(props: AddSystemDialogProps) {
  const trpc = useTRPC();
  const { data: scopes } = useQuery(trpc.cleaning.scopes.queryOptions());
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
          {(field) => (
            <field.SelectField
              label="Site"
              options={[
                { value: "", label: "every site" },
                ...(scopes?.sites ?? []).map(({ name }) => ({ value: name, label: name })),
              ]}
            />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
