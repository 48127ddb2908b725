"use client";
// What every form does when it is sent: shows what the server refused, at its field where it names one, and says what was accepted.
import { useStore } from "@tanstack/react-form";
import type { AnyFormApi } from "@tanstack/react-form";
import { useState } from "react";
import type { z } from "zod";
import { problemOf, type Problem } from "@/components/trpc/query-client";
import { useFormContext } from "@/components/ui/form/form-kit";
import { useSay } from "@/components/ui/toast";

interface Sending {
  onAccepted: () => void;
  /** It was asked for, and waits for the approval of another person: told like an answer, before `onAccepted`. */
  onAwaits?: (() => void) | undefined;
  /** After every answer: what is shown may be old. */
  onDone: () => void;
}

/**
 * `send` calls the server; `said` is the toast after it was accepted. A refusal that names one of the fields that are drawn is shown at
 * that field; any other is `problem`.
 */
export function useSend({ onAccepted, onAwaits, onDone }: Sending) {
  const say = useSay();
  const [problem, setProblem] = useState<Problem>();
  const send = async <Answer>(
    form: AnyFormApi,
    said: string | ((answer: Answer) => string),
    call: () => Promise<Answer>,
  ): Promise<void> => {
    setProblem(undefined);
    try {
      const answer = await call();
      say(typeof said === "string" ? said : said(answer));
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

/** Gives a problem to the field that it names, or that holds what it names ("traits.3"); undefined when a field took it. */
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

/** What the server refused may be right by now: it is asked again with the same values. */
function forgetRefusals(form: AnyFormApi): void {
  for (const name of Object.keys(form.fieldInfo)) {
    if (form.getFieldMeta(name)?.errorMap.onSubmit === undefined) continue;
    form.setFieldMeta(name, (meta) => ({ ...meta, errorMap: { ...meta.errorMap, onSubmit: undefined } }));
  }
}

interface Submitting {
  /** The rules of the form's values: the first complaint is why it cannot be sent. */
  schema: z.ZodType;
  /** Why it cannot be sent at all. */
  missing?: string | undefined;
  /** It changes what is there: sending the same again makes no sense. */
  edits?: boolean | undefined;
}

/** What the button of the form around the component needs. */
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
