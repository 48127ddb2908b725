"use client";
// A dialog over the page.
import { Dialog as Radix } from "radix-ui";
import { useState, type ReactNode } from "react";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Something was typed, so a click outside does not close the dialog. */
  dirty?: boolean | undefined;
  children: ReactNode;
}

/** A dialog with a title. Escape and a click outside close it, and the focus returns to where it was. */
export function Dialog({ open, onClose, ...shown }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Content {...shown} />
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Mounted while the dialog is open. */
function Content({ title, dirty = false, children }: Omit<DialogProps, "open" | "onClose">) {
  // Radix returns the focus only to a trigger of its own; ours are buttons of the page.
  const [before] = useState(() => document.activeElement);
  return (
    <Radix.Content
      className="dialog over"
      aria-describedby={undefined}
      onInteractOutside={(event) => (dirty ? event.preventDefault() : undefined)}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        if (before instanceof HTMLElement && before !== document.body) before.focus();
      }}
    >
      <Radix.Title asChild>
        <h2>{title}</h2>
      </Radix.Title>
      {children}
    </Radix.Content>
  );
}
