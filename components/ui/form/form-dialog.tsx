"use client";
// A dialog that asks for a few values and sends them: it shows what is missing, what the server refused and at which field, and closes when it is done.
import { useStore } from "@tanstack/react-form";
import type { AnyFormApi } from "@tanstack/react-form";
import { useState, type ReactNode } from "react";
import type { z } from "zod";
import { problemOf, type Problem } from "@/components/trpc/query-client";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { useFormContext } from "@/components/ui/form/form-kit";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";

interface Sending {
  onClose: () => void;
  /** After every answer: what is shown may be old. */
  onDone: () => void;
}

/**
 * What a form does when it is sent; `said` is the toast after it was accepted. A refusal that names one of the form's fields is shown at that field, any other above the buttons.
 */
export function useSend({ onClose, onDone }: Sending) {
  const say = useSay();
  const [problem, setProblem] = useState<Problem>();
  const send = async (form: AnyFormApi, said: string, call: () => Promise<unknown>): Promise<void> => {
    setProblem(undefined);
    try {
      await call();
      say(said);
      onClose();
    } catch (error) {
      setProblem(atField(form, problemOf(error)));
    } finally {
      onDone();
    }
  };
  return { send, problem };
}

/** Gives a problem to the field that it names; undefined when a field took it. */
function atField(form: AnyFormApi, problem: Problem): Problem | undefined {
  const { field } = problem;
  if (field === undefined || !(field in form.fieldInfo)) return problem;
  form.setFieldMeta(field, (meta) => ({
    ...meta,
    isBlurred: true,
    errorMap: { ...meta.errorMap, onSubmit: problem.words },
  }));
  return undefined;
}

interface FormDialogProps {
  title: string;
  /** What will happen, to what, and whether it can be undone. */
  consequence: ReactNode;
  confirmWords: string;
  cancelWords?: string;
  /** Of the form's values: its first complaint is why the button is disabled. */
  schema: z.ZodType;
  problem: Problem | undefined;
  onClose: () => void;
  /** Why it cannot be sent at all. */
  missing?: string | undefined;
  typeName?: string | undefined;
  children: ReactNode;
}

/** Inside `<form.AppForm>`. Mounted afresh each time it opens. */
export function FormDialog({
  title,
  consequence,
  confirmWords,
  cancelWords = "Cancel",
  schema,
  problem,
  onClose,
  missing,
  typeName,
  children,
}: FormDialogProps) {
  const form = useFormContext();
  const { values, busy, dirty } = useStore(form.store, (state) => ({
    values: state.values,
    busy: state.isSubmitting,
    dirty: state.isDirty,
  }));
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      dirty={dirty}
      title={title}
      consequence={consequence}
      confirmWords={confirmWords}
      cancelWords={cancelWords}
      busy={busy}
      error={
        problem === undefined ? null : (
          <Notice tone="failed" requestId={problem.requestId}>
            {problem.words}
          </Notice>
        )
      }
      onConfirm={() => void form.handleSubmit()}
      field={children}
      missing={missing ?? schema.safeParse(values).error?.issues[0]?.message}
      {...(typeName === undefined ? {} : { typeName })}
    />
  );
}
