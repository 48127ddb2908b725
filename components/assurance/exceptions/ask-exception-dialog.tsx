"use client";
// Asks for an exception for a gate or a drive that stopped a host; another person decides on it.
import { useState } from "react";
import { z } from "zod";
import { goesOnWords, letThrough } from "@/components/assurance/exceptions/exception-words";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText, typedMoment } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import type { AskableException } from "@/server/surfaces/trpc/types";

const words = (complaint: string) => z.string().trim().min(1, complaint).max(2000);
const schema = z.object({
  reason: reasonText(),
  measure: words("Enter what is done in place of the proof"),
  risk: words("Enter what is left of the risk"),
  validUntil: typedMoment.refine((at) => at !== null, "Enter when it ends"),
});

interface AskExceptionDialogProps {
  readonly host: { readonly id: string; readonly name: string };
  readonly asked: AskableException;
  readonly me: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** What is asked for, in words. */
export const askableWords = ({ gate, drive }: AskableException): string =>
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
      return send(formApi, `Asked: ${askableWords(asked)} of ${host.name}; another person decides`, () =>
        client.exceptions.ask.mutate({
          ...{ hostId: host.id, gate: asked.gate, validUntil, ...said },
          ...(asked.drive === null ? {} : { drive: asked.drive.serial }),
        }),
      );
    },
  });
  return { form, problem };
}

/** What follows, before it is asked for. */
function Consequence({ asked, me }: Pick<AskExceptionDialogProps, "asked" | "me">) {
  return (
    <>
      <p>Found: {asked.found === "" ? "nothing is said of it" : asked.found}</p>
      <p>
        Asked as {me}. A provider admin who is another person approves or rejects it; you cannot.{" "}
        {goesOnWords(asked.gate)}{" "}
        {asked.drive === null ? "The gate reads excepted" : "The drive reads not sanitized"}, on the
        certificate too.
      </p>
      <p>
        It counts for this reclamation and for what was found only: when something else is found, it is void.
        From its end on nobody gets the host, and it is cleaned again.
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
        title={`Ask for an exception: ${askableWords(asked)} of ${host.name}`}
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
              hint="what is done in place of the proof"
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
          {(field) => <field.TextField label="Ends" hint="a year away at most" type="datetime-local" />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
