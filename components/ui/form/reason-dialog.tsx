"use client";
// Asks before an act for the reason that is kept with it, and for nothing else.
import { useState, type ReactNode } from "react";
import { z } from "zod";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";

interface ReasonDialogProps<Answer> {
  title: string;
  /** What will happen, to what, and whether it can be undone. */
  consequence: ReactNode;
  confirmWords: string;
  /** What a good reason says, or where it is shown. */
  hint?: string;
  /** The fewest characters of a reason. */
  least?: number;
  /** Set for a dangerous act: the name to type. */
  typeName?: string;
  /** Sends it. What it throws is shown; the dialog stays. */
  send: (input: { reason: string }) => Promise<Answer>;
  /** Said when it was accepted. */
  said: string | ((answer: Answer) => string);
  onClose: () => void;
  /** After every answer: what is shown may be old. */
  onDone: () => void;
  /** After it was accepted and closed. */
  onAccepted?: () => void;
}

/** Mounted afresh each time it opens. */
export function ReasonDialog<Answer>({
  hint,
  least,
  send: act,
  said,
  onClose,
  onDone,
  onAccepted,
  ...words
}: ReasonDialogProps<Answer>) {
  const [schema] = useState(() => z.object({ reason: reasonText(least) }));
  const { send, problem } = useSend({
    onAccepted: () => {
      onClose();
      onAccepted?.();
    },
    onDone,
  });
  const form = useAppForm({
    defaultValues: { reason: "" },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => send(formApi, said, () => act(schema.parse(value))),
  });
  return (
    <form.AppForm>
      <FormDialog {...words} schema={schema} problem={problem} onClose={onClose}>
        <form.AppField name="reason">
          {(field) => <field.TextAreaField label="Reason" hint={hint} />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
