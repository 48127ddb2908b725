"use client";
// A dialog for a few values: it shows what is missing and what the server refused at which field, and closes when accepted.
import type { ReactNode } from "react";
import type { z } from "zod";
import type { Problem } from "@/components/trpc/query-client";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { useSubmit } from "@/components/ui/form/use-send";

interface FormDialogProps {
  title: string;
  /** What will happen, to what, and whether it can be undone. */
  consequence: ReactNode;
  confirmWords: string;
  cancelWords?: string | undefined;
  schema: z.ZodType;
  problem: Problem | undefined;
  onClose: () => void;
  /** Why it cannot be sent at all. */
  missing?: string | undefined;
  /** The form edits something existing, so unchanged values cannot be sent. */
  edits?: boolean | undefined;
  typeName?: string | undefined;
  children: ReactNode;
}

/** To be used inside `<form.AppForm>`. Mounted anew each time it opens. */
export function FormDialog({
  cancelWords = "Cancel",
  schema,
  missing,
  edits,
  children,
  ...rest
}: FormDialogProps) {
  const { submit, ...state } = useSubmit({ schema, missing, edits });
  return (
    <ConfirmDialog open cancelWords={cancelWords} onConfirm={submit} field={children} {...rest} {...state} />
  );
}
