"use client";
// Makes a health source; its token goes to who shows it once.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { typedValue } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import { heartbeatSeconds, sourceName } from "@/server/domain/health/report";

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").pipe(sourceName),
  site: z.string(),
  heartbeat: typedValue((text) => {
    if (text.trim() === "") return null;
    return /^\d{1,7}$/.test(text.trim()) ? heartbeatSeconds.safeParse(Number(text)).data : undefined;
  }, "A whole number of seconds, or nothing"),
});

interface AddSourceDialogProps {
  readonly onAdded: (shown: { readonly name: string; readonly token: string }) => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function useAddForm({ onAdded, onDone, onClose }: AddSourceDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState(() => ({ name: "", site: "", heartbeat: "" }));
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { name, site, heartbeat } = schema.parse(value);
      return send(formApi, `The health source ${name} is added.`, async () =>
        onAdded(
          await client.health.addSource.mutate({
            name,
            site: site === "" ? null : site,
            heartbeatSeconds: heartbeat,
          }),
        ),
      );
    },
  });
  return { form, problem };
}

export function AddSourceDialog(props: AddSourceDialogProps) {
  const trpc = useTRPC();
  const { data: scopes } = useQuery(trpc.cleaning.scopes.queryOptions());
  const { form, problem } = useAddForm(props);
  return (
    <form.AppForm>
      <FormDialog
        title="Add a health source"
        consequence={
          <p>
            It may report health of hosts under its name, and nothing else. A source with a heartbeat raises
            an alert on a host that it has not reported on for too long.
          </p>
        }
        confirmWords="Add source"
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
        <form.AppField name="heartbeat">
          {(field) => (
            <field.TextField
              label="Heartbeat"
              aside="seconds between its reports on a host"
              inputMode="numeric"
              placeholder="none"
              short
            />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
