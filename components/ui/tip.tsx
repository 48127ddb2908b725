"use client";
// A tooltip: words that are also reachable by keyboard.
import { Tooltip } from "radix-ui";
import { useState, type ReactElement, type ReactNode } from "react";

/** Above every page. */
export const TipProvider = ({ children }: { children: ReactNode }) => (
  <Tooltip.Provider delayDuration={300}>{children}</Tooltip.Provider>
);

/** Shows words below what it wraps, where they do not cover the field that they are about, on hover and on focus; nothing while there are none. */
export function Tip({ words, children }: { words: string | undefined; children: ReactElement }) {
  const [open, setOpen] = useState(false);
  return (
    <Tooltip.Root open={open && words !== undefined} onOpenChange={setOpen}>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" side="bottom" sideOffset={4} collisionPadding={8}>
          {words}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
