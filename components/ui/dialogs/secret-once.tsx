"use client";
// Shows a password or token for the only time: the server keeps just its hash.
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialogs/dialog";

interface SecretOnceProps {
  readonly title: string;
  /** "the initial password of ada@example.com" */
  readonly what: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A click outside does not close it, because the secret would be lost. */
export function SecretOnce({ title, what, secret, onClose }: SecretOnceProps) {
  return (
    <Dialog open dirty onClose={onClose} title={title}>
      <div className="consequence">
        <p>This is {what}. It is not shown again: copy it now.</p>
        <p className="secret">
          <code>{secret}</code> <CopyButton text={secret} what={what} />
        </p>
      </div>
      <div className="acts">
        <Button kind="main" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
