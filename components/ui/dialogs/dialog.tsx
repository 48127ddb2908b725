"use client";
// A dialog over the page.
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Something was typed, so a click outside does not close the dialog. */
  dirty?: boolean | undefined;
  children: ReactNode;
}

/** A dialog with a title. Escape and a click outside close it, and the focus returns to where it was. */
export function Dialog({ open, onClose, title, dirty = false, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="dialog over"
          aria-describedby={undefined}
          onInteractOutside={(event) => (dirty ? event.preventDefault() : undefined)}
        >
          <Radix.Title asChild>
            <h2>{title}</h2>
          </Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
