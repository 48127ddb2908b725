"use client";
// Adds an external program. Its token is passed to the caller, which shows it once.
import type { z } from "zod";
import {
  noTexts,
  shortOf,
  useSiteOptions,
} from "@/components/repair/external-systems/external-system-fields";
import type { AddDialogProps, NewToken } from "@/components/repair/external-systems/external-systems-page";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";

interface AddProgramProps<Asked extends { readonly name: string }> extends AddDialogProps {
  /** Such as "health source". */
  readonly kind: string;
  readonly consequence: string;
  readonly schema: z.ZodType<Asked, typeof noTexts>;
  /** An additional number to ask for. */
  readonly more?: { readonly label: string; readonly aside: string; readonly placeholder: string };
  readonly send: (asked: Asked) => Promise<NewToken>;
}

function useAddForm<Asked extends { readonly name: string }>(props: AddProgramProps<Asked>) {
  const { kind, schema, send: add, onAdded, onDone, onClose } = props;
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: noTexts,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const asked = schema.parse(value);
      return send(formApi, `The ${kind} ${asked.name} is added.`, async () => onAdded(await add(asked)));
    },
  });
  return { form, problem };
}

export function AddProgramDialog<Asked extends { readonly name: string }>(props: AddProgramProps<Asked>) {
  const { kind, consequence, schema, more, onClose } = props;
  const sites = useSiteOptions();
  const { form, problem } = useAddForm(props);
  return (
    <form.AppForm>
      <FormDialog
        title={`Add a ${kind}`}
        consequence={<p>{consequence}</p>}
        confirmWords={`Add ${shortOf(kind)}`}
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="name">{(field) => <field.TextField label="Name" mono />}</form.AppField>
        <form.AppField name="site">
          {(field) => <field.SelectField label="Site" options={sites} />}
        </form.AppField>
        {more === undefined ? null : (
          <form.AppField name="more">
            {(field) => <field.TextField {...more} inputMode="numeric" short />}
          </form.AppField>
        )}
      </FormDialog>
    </form.AppForm>
  );
}
