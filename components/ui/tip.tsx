"use client";
// A tooltip that is also reachable by keyboard.
import { Tooltip } from "radix-ui";
import { useState, type ReactElement, type ReactNode } from "react";

/** Wraps every page. */
export const TipProvider = ({ children }: { children: ReactNode }) => (
  <Tooltip.Provider delayDuration={300}>{children}</Tooltip.Provider>
);

/** Shown below its child on hover and focus, where it does not cover the field it is about. Without `words` there is no tooltip. */
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
