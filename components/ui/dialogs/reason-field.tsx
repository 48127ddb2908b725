"use client";
// A reason that is kept with an act.
import { useId } from "react";

interface ReasonFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function ReasonField({ label, value, onChange }: ReasonFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} value={value} maxLength={500} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}
