"use client";
// Submission shared by all forms: shows a refusal at the field it names, and confirms success with a toast.
import { useStore } from "@tanstack/react-form";
import type { AnyFormApi } from "@tanstack/react-form";
import { useState } from "react";
import type { z } from "zod";
import { problemOf, type Problem } from "@/components/trpc/query-client";
import { useFormContext } from "@/components/ui/form/form-kit";
import { useSay } from "@/components/ui/toast";

interface Sending {
  onAccepted: () => void;
  /** Called before `onAccepted` when the request awaits another person's approval; a toast says so. */
  onAwaits?: (() => void) | undefined;
  /** Called after every answer, because what is shown may be stale. */
  onDone: () => void;
}

/**
 * `send` calls the server; `said` is the toast after success. A refusal that names a rendered field is shown at that
 * field; any other becomes `problem`.
 */
export function useSend({ onAccepted, onAwaits, onDone }: Sending) {
  const say = useSay();
  const [problem, setProblem] = useState<Problem>();
  const send = async <Answer>(
    form: AnyFormApi,
    said: string | ((answer: Answer) => string | undefined),
    call: () => Promise<Answer>,
  ): Promise<void> => {
    setProblem(undefined);
    try {
      const answer = await call();
      const words = typeof said === "string" ? said : said(answer);
      if (words !== undefined) say(words);
      onAccepted();
    } catch (error) {
      const refusal = problemOf(error);
      if (refusal.code !== "awaitsApproval") return setProblem(atField(form, refusal));
      say(refusal.words);
      onAwaits?.();
      onAccepted();
    } finally {
      onDone();
    }
  };
  return { send, problem };
}

/** Assigns a problem to the field that it names or that contains it ("traits.3"); returns undefined if a field took it. */
function atField(form: AnyFormApi, problem: Problem): Problem | undefined {
  const path = problem.field?.split(".") ?? [];
  const field = path
    .map((_, index) => path.slice(0, path.length - index).join("."))
    .find((name) => form.fieldInfo[name]?.instance != null);
  if (field === undefined) return problem;
  const words = problem.words.replace(`${problem.field}: `, "");
  form.setFieldMeta(field, (meta) => ({
    ...meta,
    isBlurred: true,
    errorMap: { ...meta.errorMap, onSubmit: words },
  }));
  return undefined;
}

/** Clears refusals, which may no longer apply, so that the same values can be sent again. */
function forgetRefusals(form: AnyFormApi): void {
  for (const name of Object.keys(form.fieldInfo)) {
    if (form.getFieldMeta(name)?.errorMap.onSubmit === undefined) continue;
    form.setFieldMeta(name, (meta) => ({ ...meta, errorMap: { ...meta.errorMap, onSubmit: undefined } }));
  }
}

interface Submitting {
  /** The form's rules; the first issue is shown as the reason why it cannot be sent. */
  schema: z.ZodType;
  /** Why it cannot be sent at all. */
  missing?: string | undefined;
  /** The form edits something existing, so unchanged values cannot be sent. */
  edits?: boolean | undefined;
}

/** Props for the submit button of the enclosing form. */
export function useSubmit({ schema, missing, edits = false }: Submitting) {
  const form = useFormContext();
  const { values, busy, dirty } = useStore(form.store, (state) => ({
    values: state.values,
    busy: state.isSubmitting,
    dirty: state.isDirty,
  }));
  const parsed = schema.safeParse(values);
  const same =
    edits &&
    JSON.stringify(parsed.data) === JSON.stringify(schema.safeParse(form.options.defaultValues).data);
  return {
    busy,
    dirty,
    missing: missing ?? parsed.error?.issues[0]?.message ?? (same ? "No changes" : undefined),
    submit: () => {
      forgetRefusals(form);
      void form.handleSubmit();
    },
  };
}
