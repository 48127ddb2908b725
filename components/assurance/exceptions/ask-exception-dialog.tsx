"use client";
// Requests an exception for the gate or drive that stopped a host; another person decides on it.
import { useState } from "react";
import { z } from "zod";
import { goesOnText, letThrough } from "@/components/assurance/exceptions/exception-text";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText, typedMoment } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import type { AskableException } from "@/server/surfaces/trpc/types";

const words = (complaint: string) => z.string().trim().min(1, complaint).max(2000);
const schema = z.object({
  reason: reasonText(),
  measure: words("Enter what you do instead"),
  risk: words("Enter the remaining risk"),
  validUntil: typedMoment.refine((at) => at !== null, "Enter when it expires"),
});

interface AskExceptionDialogProps {
  readonly host: { readonly id: string; readonly name: string };
  readonly asked: AskableException;
  readonly me: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** A label for what is requested. */
export const askableText = ({ gate, drive }: AskableException): string =>
  letThrough({ gate, drive: drive?.serial ?? null });

function useAskForm({ host, asked, onClose, onDone }: AskExceptionDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState<z.input<typeof schema>>({
    reason: "",
    measure: "",
    risk: "",
    validUntil: "",
  });
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { validUntil, ...said } = schema.parse(value);
      if (validUntil === null) return;
      return send(formApi, `Asked: ${askableText(asked)} on ${host.name}; another person decides`, () =>
        client.exceptions.ask.mutate({
          ...{ hostId: host.id, gate: asked.gate, validUntil, ...said },
          ...(asked.drive === null ? {} : { drive: asked.drive.serial }),
        }),
      );
    },
  });
  return { form, problem };
}

/** What an approval would mean, shown before the request is sent. */
function Consequence({ asked, me }: Pick<AskExceptionDialogProps, "asked" | "me">) {
  return (
    <>
      <p>Found: {asked.found === "" ? "no details" : asked.found}</p>
      <p>
        You ask as {me}. Another person, a provider admin, approves or rejects it; you cannot.{" "}
        {goesOnText(asked.gate)} The certificate{" "}
        {asked.drive === null ? "lists the gate as excepted" : "says that the drive is not sanitized"}.
      </p>
      <p>
        It applies to this reclamation and this finding only; a different finding voids it. When it expires,
        the host leaves allocation and is cleaned again.
      </p>
    </>
  );
}

export function AskExceptionDialog(props: AskExceptionDialogProps) {
  const { host, asked } = props;
  const { form, problem } = useAskForm(props);
  return (
    <form.AppForm>
      <FormDialog
        title={`Ask for an exception: ${askableText(asked)} on ${host.name}`}
        consequence={<Consequence {...props} />}
        confirmWords="Ask for exception"
        schema={schema}
        problem={problem}
        onClose={props.onClose}
      >
        <form.AppField name="reason">
          {(field) => <field.TextAreaField label="Reason" rows={2} />}
        </form.AppField>
        <form.AppField name="measure">
          {(field) => (
            <field.TextAreaField
              label="Compensating measure"
              hint="what you do instead, such as keep the host in a locked row"
              rows={2}
              maxLength={2000}
            />
          )}
        </form.AppField>
        <form.AppField name="risk">
          {(field) => (
            <field.TextAreaField
              label="Residual risk"
              hint="what may still happen, and to whom"
              rows={2}
              maxLength={2000}
            />
          )}
        </form.AppField>
        <form.AppField name="validUntil">
          {(field) => (
            <field.TextField
              label="Expires"
              hint="in your local time, a year away at most"
              type="datetime-local"
            />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
