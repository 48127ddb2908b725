"use client";
// The shared frame of forms that change a site's document, including the confirmation.
import type { ReactNode } from "react";
import type { z } from "zod";
import { ApplyDialog, type Draft } from "@/components/sites/apply-dialog";
import { PageForm } from "@/components/ui/form/page-form";
import type { SiteApplied } from "@/server/surfaces/trpc/types";

interface DraftFormProps {
  readonly schema: z.ZodType;
  /** Why this user may not change settings. */
  readonly whyNot: string | undefined;
  readonly submitWords: string;
  readonly acts?: ReactNode;
  /** The submitted change, until the dialog has applied it. */
  readonly draft: Draft | undefined;
  readonly onApplied: (draft: Draft, answer: SiteApplied) => void;
  readonly onAwaits?: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** To be used inside `<form.AppForm>`. */
export function DraftForm({ schema, whyNot, submitWords, acts, children, ...applying }: DraftFormProps) {
  const { draft, onApplied, onAwaits, onClose } = applying;
  return (
    <>
      <PageForm
        className="settings-form"
        schema={schema}
        edits
        missing={whyNot}
        problem={undefined}
        submitWords={submitWords}
        acts={acts}
      >
        {children}
      </PageForm>
      {draft === undefined ? null : (
        <ApplyDialog
          draft={draft}
          onApplied={(answer) => onApplied(draft, answer)}
          {...(onAwaits === undefined ? {} : { onAwaits })}
          onClose={onClose}
        />
      )}
    </>
  );
}
