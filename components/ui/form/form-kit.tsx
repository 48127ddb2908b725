"use client";
// Forms: TanStack Form with our controls. A form is `useAppForm` with a zod schema, `<Fields>`, and a `PageForm` or a dialog
// (docs/adr/0008-plain-css.md).
import { createFormHook, createFormHookContexts } from "@tanstack/react-form";
import type { ReactNode } from "react";
import { Check, Field, Select, TextArea, TextInput } from "@/components/ui/form/controls";
import type { SelectProps, TextInputProps } from "@/components/ui/form/controls";

const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts();

export { fieldContext, useFormContext };

interface LabelProps {
  label: ReactNode;
  aside?: ReactNode;
  hint?: ReactNode;
  wide?: boolean;
}

/** Value, setter and error of the enclosing field. The error shows once the user has left the field or submitted the form. */
function useField() {
  const field = useFieldContext<string>();
  const { isBlurred, errors } = field.state.meta;
  const first: unknown = isBlurred || field.form.state.submissionAttempts > 0 ? errors[0] : undefined;
  return {
    value: field.state.value,
    onChange: (value: string) => field.handleChange(value),
    onBlur: () => field.handleBlur(),
    error: messageOf(first),
  };
}

/** The message of a schema issue or of a server refusal. */
function messageOf(error: unknown): string | undefined {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return undefined;
  const message: unknown = Reflect.get(error, "message");
  return typeof message === "string" ? message : undefined;
}

type Bound = "aria" | "value" | "onChange" | "onBlur";

export function TextField({ label, aside, hint, wide, ...rest }: LabelProps & Omit<TextInputProps, Bound>) {
  const { error, ...bound } = useField();
  return (
    <Field label={label} aside={aside} hint={hint} error={error} wide={wide ?? false}>
      {(aria) => <TextInput aria={aria} {...bound} {...rest} />}
    </Field>
  );
}

export function TextAreaField({
  label,
  aside,
  hint,
  wide,
  maxLength = 500,
  mono,
  rows,
}: LabelProps & { maxLength?: number | undefined; mono?: boolean | undefined; rows?: number | undefined }) {
  const { error, ...bound } = useField();
  return (
    <Field label={label} aside={aside} hint={hint} error={error} wide={wide ?? false}>
      {(aria) => <TextArea aria={aria} {...bound} maxLength={maxLength} mono={mono ?? false} rows={rows} />}
    </Field>
  );
}

export function SelectField({
  label,
  aside,
  hint,
  wide,
  options,
}: LabelProps & Pick<SelectProps, "options">) {
  const { error, ...bound } = useField();
  return (
    <Field label={label} aside={aside} hint={hint} error={error} wide={wide ?? false}>
      {(aria) => <Select aria={aria} {...bound} options={options} />}
    </Field>
  );
}

/** A checkbox with its label beside it. */
export function CheckField({ label, aside }: Pick<LabelProps, "label" | "aside">) {
  const field = useFieldContext<boolean>();
  return (
    <div className="field">
      <Check
        checked={field.state.value}
        onBlur={() => field.handleBlur()}
        onChange={(checked) => field.handleChange(checked)}
      >
        {label} {aside === undefined ? null : <span className="text-quiet">{aside}</span>}
      </Check>
    </div>
  );
}

export const { useAppForm, withForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: {},
  formComponents: {},
});
