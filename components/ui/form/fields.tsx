"use client";
// The fields of a form as a table: one line each, in the order in which they are shown.
import { useField, type AnyFormApi } from "@tanstack/react-form";
import { Fragment, isValidElement, type ReactElement, type ReactNode } from "react";
import type { SelectProps, TextInputProps } from "@/components/ui/form/controls";
import {
  CheckField,
  fieldContext,
  SelectField,
  TextAreaField,
  TextField,
} from "@/components/ui/form/form-kit";

/** A field. Its value decides on its control: a checkbox for a boolean, a select if there are options, else a text of one line or (`rows`) of several. */
export interface FieldSpec extends Pick<
  TextInputProps,
  | "type"
  | "name"
  | "mono"
  | "short"
  | "inputMode"
  | "placeholder"
  | "maxLength"
  | "autoFocus"
  | "autoComplete"
> {
  readonly label: ReactNode;
  /** Beside the label: a unit, or "optional". */
  readonly aside?: ReactNode;
  readonly hint?: ReactNode;
  readonly wide?: boolean;
  readonly options?: SelectProps["options"];
  /** Called with the chosen option, for a choice that resets other fields. */
  readonly onChosen?: (value: string) => void;
  /** A text of several lines. */
  readonly rows?: number;
}

/** By name; an element is a control of its own, and `null` leaves the field out. */
export type FieldSpecs<Name extends string = string> = Readonly<
  Partial<Record<Name, FieldSpec | ReactElement | null>>
>;

/** The reason that is kept with an act. */
export const reasonField = (hint?: ReactNode): FieldSpec => ({ label: "Reason", hint, rows: 2 });

/** Options whose label is their value. */
export const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

export function Fields({ form, fields }: { readonly form: AnyFormApi; readonly fields: FieldSpecs }) {
  return Object.entries(fields).map(([name, spec]) =>
    spec == null ? null : isValidElement(spec) ? (
      <Fragment key={name}>{spec}</Fragment>
    ) : (
      <OneField key={name} form={form} name={name} spec={spec} />
    ),
  );
}

interface OneFieldProps {
  readonly form: AnyFormApi;
  readonly name: string;
  readonly spec: FieldSpec;
}

function OneField({ form, name, spec }: OneFieldProps) {
  const { onChosen } = spec;
  const field = useField({
    form,
    name,
    ...(onChosen && { listeners: { onChange: ({ value }) => onChosen(String(value)) } }),
  });
  return (
    <fieldContext.Provider value={field}>
      <Control spec={spec} value={field.state.value} />
    </fieldContext.Provider>
  );
}

function Control({ spec, value }: { readonly spec: FieldSpec; readonly value: unknown }) {
  const { options, rows, onChosen: _, ...look } = spec;
  if (typeof value === "boolean") return <CheckField {...look} />;
  if (options !== undefined) return <SelectField {...look} options={options} />;
  return rows === undefined ? <TextField {...look} /> : <TextAreaField {...look} rows={rows} />;
}
