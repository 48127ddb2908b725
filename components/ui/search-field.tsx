"use client";
// A text field that filters: `/` focuses it, Escape leaves it.
import type { KeyboardEvent, ReactNode, Ref } from "react";

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onSubmit?: (() => void) | undefined;
  placeholder: string;
  /** The id of the text that says why the input is invalid. */
  describedBy?: string | undefined;
  invalid?: boolean;
  end?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
  /** The list of suggestions below, and the active one. */
  suggestions?: { readonly listId: string; readonly activeId: string | undefined } | undefined;
  /** Called before the field's own keys; true means the key was handled. */
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => boolean;
  /** Called with pasted text; true means it was handled. */
  onPaste?: ((text: string) => boolean) | undefined;
  /** The cursor position, after each change and move. */
  onCaret?: (caret: number) => void;
  onFocus?: () => void;
  onBlur?: () => void;
}

/** A single-line text input. */
export function SearchField({
  label,
  value,
  onChange,
  onSubmit,
  placeholder,
  describedBy,
  invalid = false,
  end,
  inputRef,
  suggestions,
  onKey,
  onPaste,
  onCaret,
  onFocus,
  onBlur,
}: SearchFieldProps) {
  return (
    <div className={`input${invalid ? " bad" : ""}`}>
      <input
        ref={inputRef}
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
        {...(suggestions === undefined
          ? {}
          : {
              "aria-autocomplete": "list" as const,
              "aria-controls": suggestions.listId,
              "aria-activedescendant": suggestions.activeId,
            })}
        onChange={(event) => {
          onCaret?.(event.target.selectionStart ?? event.target.value.length);
          onChange(event.target.value);
        }}
        onSelect={(event) => onCaret?.(event.currentTarget.selectionStart ?? 0)}
        onPaste={(event) => {
          if (onPaste?.(event.clipboardData.getData("text")) === true) event.preventDefault();
        }}
        onFocus={onFocus}
        onBlur={onBlur}
        onKeyDown={(event) => {
          if (onKey?.(event) === true) return;
          if (event.key === "Enter") onSubmit?.();
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {end ?? <kbd>/</kbd>}
    </div>
  );
}
