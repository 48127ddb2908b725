"use client";
// Confirms an act and asks only for the reason, which is kept with it.
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
  /** Why it cannot be sent yet. */
  missing?: string | undefined;
  /** What a good reason contains, or who can read it. */
  hint?: string;
  /** Minimum length of the reason. */
  least?: number;
  /** Set for a dangerous act: the name to type. */
  typeName?: string;
  /** Sends the request. If it throws, the error is shown and the dialog stays open. */
  send: (input: { reason: string }) => Promise<Answer>;
  /** The toast after it was accepted. */
  said: string | ((answer: Answer) => string);
  onClose: () => void;
  /** Called after every answer, because what is shown may be stale. */
  onDone: () => void;
  /** Called after the act was accepted and the dialog closed. */
  onAccepted?: () => void;
}

/** Mounted anew each time it opens. */
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
