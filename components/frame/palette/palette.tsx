"use client";
// ⌘K: the field in the top bar and the dialog that it opens. What is inside is loaded when it opens for the first time.
import { Dialog } from "radix-ui";
import { lazy, Suspense, useEffect, useState } from "react";
import { placeholder, type PaletteBodyProps } from "@/components/frame/palette/palette-props";
import type { PageName } from "@/server/domain/console/routes";

/** Keeps what is typed while the rest is loaded. */
const Typed = ({ text, setText }: PaletteBodyProps) => (
  <input
    aria-label="Find"
    value={text}
    onChange={(event) => setText(event.target.value)}
    placeholder={placeholder}
    autoFocus
  />
);

/** Without a network, or after an upgrade that replaced the file. */
const NotLoaded = (props: PaletteBodyProps) => (
  <>
    <Typed {...props} />
    <p className="note">The search could not be loaded. Reload the page.</p>
  </>
);

const PaletteBody = lazy(() =>
  import("@/components/frame/palette/palette-body").then(
    ({ PaletteBody: Body }) => ({ default: Body }),
    () => ({ default: NotLoaded }),
  ),
);

/** The field in the top bar that opens the palette, and the palette itself. */
export function Palette({ shown }: { shown: readonly PageName[] }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== "k" ||
        !(event.metaKey || event.ctrlKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="find">
        <span>{placeholder}</span>
        <kbd aria-hidden="true">⌘K</kbd>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="palette" aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Find</Dialog.Title>
          <PaletteContent shown={shown} close={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Mounted anew each time it opens. */
function PaletteContent(props: Pick<PaletteBodyProps, "shown" | "close">) {
  const [text, setText] = useState("");
  const typed = { ...props, text, setText };
  return (
    <Suspense fallback={<Typed {...typed} />}>
      <PaletteBody {...typed} />
    </Suspense>
  );
}
