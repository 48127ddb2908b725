"use client";
// A tooltip: words that are also reachable by keyboard.
import { Tooltip } from "radix-ui";
import type { ReactElement } from "react";

/** Shows words beside what it wraps, on hover and on focus. */
export function Tip({ words, children }: { words: string; children: ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" sideOffset={4} collisionPadding={8}>
          {words}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
