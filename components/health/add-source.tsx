"use client";
// Makes a health source; its token goes to who shows it once.
import { useState } from "react";
import { z } from "zod";
import { programFields, useSiteOptions } from "@/components/programs/program-fields";
import type { AddDialogProps } from "@/components/programs/programs-page";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { typedValue } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import { heartbeatSeconds, sourceName } from "@/server/domain/health/report";

const schema = z.object({
  ...programFields(sourceName),
  heartbeat: typedValue((text) => {
    if (text.trim() === "") return null;
    return /^\d{1,7}$/.test(text.trim()) ? heartbeatSeconds.safeParse(Number(text)).data : undefined;
  }, "A whole number of seconds, or nothing"),
});

function useAddForm({ onAdded, onDone, onClose }: AddDialogProps) {
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
            site,
            heartbeatSeconds: heartbeat,
          }),
        ),
      );
    },
  });
  return { form, problem };
}

export function AddSourceDialog(props: AddDialogProps) {
  const sites = useSiteOptions();
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
          {(field) => <field.SelectField label="Site" options={sites} />}
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
