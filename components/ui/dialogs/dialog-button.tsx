"use client";
// A button and the dialog that it opens, mounted anew each time.
import { useState, type ComponentProps, type ReactNode } from "react";
import { Button } from "@/components/ui/button";

interface DialogButtonProps extends Omit<ComponentProps<typeof Button>, "onClick"> {
  readonly dialog: (onClose: () => void) => ReactNode;
}

export function DialogButton({ dialog, small = true, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small={small} {...button} onClick={() => setOpen(true)} />
      {open ? dialog(() => setOpen(false)) : null}
    </>
  );
}
