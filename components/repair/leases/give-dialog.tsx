"use client";
// Hands a host over to an external repair system, and states first what that means.
import { z } from "zod";
import { backIn, untilOf } from "@/components/repair/leases/lease-text";
import type { BackIn } from "@/components/repair/leases/lease-text";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import type { HostDetail, HostOwner } from "@/server/surfaces/trpc/types";

interface GiveDialogProps {
  host: HostDetail;
  owner: HostOwner;
  onClose: () => void;
  onDone: () => void;
}

const isBackIn = (text: string): text is BackIn => Object.hasOwn(backIn, text);

const fields = {
  system: z.string().min(1, "Choose a repair system"),
  reason: z.string().trim().min(1, "Enter a reason").max(500, "At most 500 characters"),
  ticket: z.string().trim().max(128, "At most 128 characters"),
  back: z.string().refine(isBackIn, "Choose when it is expected back"),
};
const cleanSchema = z.object({ ...fields, mayHoldData: z.boolean() });
const dataSchema = z.object({
  ...fields,
  mayHoldData: z
    .boolean()
    .refine((said) => said, "Confirm that the repair system may have access to the data on the drives"),
});

const dataText = "Its drives may hold tenant data, and the repair system may have access to it";
const backOptions = Object.entries(backIn).map(([value, { words: label }]) => ({ value, label }));

/** The form and its submission. */
function useGiveForm({ host, owner, onClose, onDone }: GiveDialogProps) {
  const client = useTRPCClient();
  const schema = owner.mayHoldData ? dataSchema : cleanSchema;
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: {
      system: owner.systems[0] ?? "",
      reason: "",
      ticket: "",
      back: "week",
      mayHoldData: false,
    },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `${host.name} handed over to ${value.system}`, () => {
        const { ticket, back, ...said } = schema.parse(value);
        const until = untilOf(back, Date.now());
        return client.leases.give.mutate({
          hostId: host.id,
          ...said,
          ...(ticket === "" ? {} : { ticket }),
          ...(until === null ? {} : { until }),
        });
      }),
  });
  return { form, schema, problem };
}

const consequence = (
  <p>
    Until the host is returned, Reclaim sends it nothing, and nobody can claim, clean or restart it. When it
    comes back, it is checked again before it is allocated.
  </p>
);

export function GiveDialog(props: GiveDialogProps) {
  const { host, owner, onClose } = props;
  const { form, schema, problem } = useGiveForm(props);
  return (
    <form.AppForm>
      <FormDialog
        title={`Hand ${host.name} over`}
        consequence={consequence}
        confirmWords="Hand the host over"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="system">
          {(field) => (
            <field.SelectField
              label="Repair system"
              options={owner.systems.map((name) => ({ value: name, label: name }))}
            />
          )}
        </form.AppField>
        <form.AppField name="reason">
          {(field) => <field.TextAreaField label="Reason" hint="shown to the repair system" />}
        </form.AppField>
        <form.AppField name="ticket">
          {(field) => <field.TextField label="Ticket" hint="in the repair system; optional" />}
        </form.AppField>
        <form.AppField name="back">
          {(field) => (
            <field.SelectField
              label="Expected back"
              hint="after that it is shown as overdue; nothing else happens"
              options={backOptions}
            />
          )}
        </form.AppField>
        {owner.mayHoldData ? (
          <form.AppField name="mayHoldData">{(field) => <field.CheckField label={dataText} />}</form.AppField>
        ) : null}
      </FormDialog>
    </form.AppForm>
  );
}
