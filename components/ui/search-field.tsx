"use client";
// A text field that filters: `/` puts the cursor there, Escape leaves it.
import type { ReactNode } from "react";

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onSubmit: () => void;
  placeholder: string;
  /** Set when the text cannot be understood: the id of the words that say why. */
  describedBy?: string | undefined;
  invalid?: boolean;
  end?: ReactNode;
}

/** One line of text in the frame of an input. */
export function SearchField({
  label,
  value,
  onChange,
  onSubmit,
  placeholder,
  describedBy,
  invalid = false,
  end,
}: SearchFieldProps) {
  return (
    <div className={`input${invalid ? " bad" : ""}`}>
      <input
        data-filter=""
        type="text"
        role="searchbox"
        aria-label={label}
        aria-invalid={invalid || undefined}
        {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onSubmit();
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {end ?? <kbd>/</kbd>}
    </div>
  );
}
