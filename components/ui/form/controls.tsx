"use client";
// The parts of a form field: label, hint, error and control, linked for screen readers.
import { useId, type ReactNode } from "react";
import { Mark } from "@/components/ui/mark";

/** Links a control to its label, hint and error. */
export interface ControlAria {
  readonly id: string;
  readonly "aria-invalid": true | undefined;
  readonly "aria-required": true | undefined;
  readonly "aria-describedby": string | undefined;
}

interface FieldProps {
  label: ReactNode;
  /** Beside the label: a unit, or "optional". */
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  wide?: boolean;
  children: (aria: ControlAria) => ReactNode;
}

/** A label with its control and error. */
export function Field({ label, aside, hint, error, required, wide = false, children }: FieldProps) {
  const id = useId();
  const described = [hint === undefined ? "" : `${id}-hint`, error === undefined ? "" : `${id}-error`]
    .filter((part) => part !== "")
    .join(" ");
  return (
    <div className={`field${wide ? " wide" : ""}${error === undefined ? "" : " bad"}`}>
      <label htmlFor={id}>
        {label}
        {aside === undefined ? null : <span className="text-quiet"> {aside}</span>}
      </label>
      {children({
        id,
        "aria-invalid": error === undefined ? undefined : true,
        "aria-required": required === true ? true : undefined,
        "aria-describedby": described === "" ? undefined : described,
      })}
      {hint === undefined ? null : (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      {error === undefined ? null : <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** A field's error message. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span id={id} className="err">
      <Mark tone="failed" label="" />
      <span>{children}</span>
    </span>
  );
}

interface TextControlProps {
  aria: ControlAria;
  value: string;
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  maxLength?: number | undefined;
  placeholder?: string | undefined;
  /** Monospaced, for ids, serial numbers, versions and arguments. */
  mono?: boolean | undefined;
}

export interface TextInputProps extends TextControlProps {
  type?: "text" | "email" | "password" | "date" | "datetime-local" | undefined;
  name?: string | undefined;
  inputMode?: "decimal" | "numeric" | undefined;
  autoComplete?: string | undefined;
  autoFocus?: boolean | undefined;
  /** The `/` key focuses this field. */
  "data-filter"?: "";
  short?: boolean | undefined;
}

export function TextInput({
  aria,
  value,
  onChange,
  mono = false,
  short = false,
  autoComplete = "off",
  ...rest
}: TextInputProps) {
  return (
    <div className={short ? "input short" : "input"}>
      <input
        {...aria}
        {...rest}
        className={mono ? "mono" : undefined}
        spellCheck={mono ? false : undefined}
        autoComplete={autoComplete}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

export function TextArea({
  aria,
  value,
  onChange,
  mono = false,
  ...rest
}: TextControlProps & { rows?: number | undefined }) {
  return (
    <textarea
      {...aria}
      {...rest}
      className={mono ? "mono" : undefined}
      spellCheck={mono ? false : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export interface SelectProps {
  aria: ControlAria;
  value: string;
  options: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
}

/** A select for one of a few options. */
export function Select({ aria, value, options, onChange, onBlur }: SelectProps) {
  return (
    <div className="input">
      <select {...aria} value={value} onBlur={onBlur} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly onBlur?: () => void;
  /** The label, beside the box. */
  readonly children: ReactNode;
  /** The label is an identifier, shown monospaced. */
  readonly mono?: boolean;
}

/** A checkbox. */
export const Check = ({ checked, onChange, onBlur, children, mono = false }: CheckProps) => (
  <label className="choice">
    <input
      className="check"
      type="checkbox"
      checked={checked}
      onBlur={onBlur}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span className={mono ? "mono" : undefined}>{children}</span>
  </label>
);
