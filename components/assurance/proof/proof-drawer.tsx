// A drawer of the proof desk above the list, and a command or address to copy.
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";

interface DrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export const ProofDrawer = ({ title, onClose, children }: DrawerProps) => (
  <section className="proof-drawer" aria-label={title}>
    <div className="head">
      <h2>{title}</h2>
      <div className="acts">
        <Button small kind="plain" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
    {children}
  </section>
);

interface CommandProps {
  readonly label: string;
  readonly text: string;
  readonly what?: string;
}

export const ProofCommand = ({ label, text, what = "the command" }: CommandProps) => (
  <>
    <p className="text-quiet">{label}</p>
    <div className="proof-command">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  </>
);
