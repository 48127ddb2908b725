"use client";
// A form on a page, with its button below: it shows what is missing, and what the server refused at which field.
import type { FormEvent, ReactNode } from "react";
import type { z } from "zod";
import type { Problem } from "@/components/trpc/query-client";
import { Button } from "@/components/ui/button";
import { Refused } from "@/components/trpc/problem-notice";
import { useSubmit } from "@/components/ui/form/use-send";

interface PageFormProps {
  className: string;
  schema: z.ZodType;
  problem: Problem | undefined;
  /** A verb with its object. */
  submitWords: string;
  /** Why it cannot be sent at all. */
  missing?: string | undefined;
  edits?: boolean;
  /** Buttons after the first. */
  acts?: ReactNode;
  children: ReactNode;
}

/** To be used inside `<form.AppForm>`. */
export function PageForm({
  className,
  schema,
  problem,
  submitWords,
  missing: refusal,
  edits,
  acts,
  children,
}: PageFormProps) {
  const { submit, busy, missing } = useSubmit({ schema, missing: refusal, edits });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (missing === undefined && !busy) submit();
  };
  return (
    <form className={className} onSubmit={send}>
      {children}
      <Refused problem={problem} />
      <div className="acts left">
        <Button type="submit" kind="main" small disabledReason={missing} busy={busy}>
          {submitWords}
        </Button>
        {acts}
      </div>
    </form>
  );
}
