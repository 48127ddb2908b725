"use client";
// Dialogs that add, rename and remove a passkey. All but renaming need confirmation: with a passkey, or with the password for the first one.
import { z } from "zod";
import { accessNouns } from "@/components/access/use-access";
import { useConfirm, usePasskey } from "@/components/access/use-passkey";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import type { PasskeyLine } from "@/server/surfaces/trpc/types";

const name = z.string().trim().min(1, "Enter a name").max(64, "At most 64 characters");

interface AddProps {
  readonly isFirst: boolean;
  readonly onClose: () => void;
}

export function AddPasskey({ isFirst, onClose }: AddProps) {
  const { add } = usePasskey();
  const { missing, given } = useConfirm();
  return (
    <ActFormDialog
      title="Add a passkey"
      consequence={
        isFirst
          ? "You then confirm your decisions with a passkey, in the console; the password alone and tokens are refused. Add a second one soon: if you lose all of them, a provider admin must reset them."
          : "Your browser asks twice: for a passkey that you have, then for the new one."
      }
      confirmWords="Add passkey"
      schema={z.object({ name, password: isFirst ? z.string().min(1, "Enter your password") : z.string() })}
      values={{ name: "", password: "" }}
      fields={{
        name: { label: "Name", aside: "such as the device that has it", autoFocus: true },
        password: isFirst
          ? { label: "Your password", type: "password", autoComplete: "current-password" }
          : null,
      }}
      missing={missing}
      send={async (typed) => add(typed.name, await given({ purpose: "add" }, typed.password))}
      said={(_, typed) => `The passkey ${typed.name} is set up.`}
      stale={accessNouns}
      onClose={onClose}
    />
  );
}

interface OneProps {
  readonly passkey: PasskeyLine;
  readonly onClose: () => void;
}

const renameSchema = z.object({ name });

export const RenamePasskey = ({ passkey, onClose }: OneProps) => (
  <ActFormDialog
    title={`Rename the passkey ${passkey.name}`}
    consequence="The name is for you. The passkey stays as it is."
    confirmWords="Rename passkey"
    edits
    schema={renameSchema}
    values={{ name: passkey.name }}
    fields={{ name: { label: "Name", autoFocus: true } }}
    send={(typed, client) => client.passkeys.rename.mutate({ passkeyId: passkey.passkeyId, ...typed })}
    said={`The passkey ${passkey.name} is renamed.`}
    stale={accessNouns}
    onClose={onClose}
  />
);

export function RemovePasskey({ passkey, isLast, onClose }: OneProps & { readonly isLast: boolean }) {
  const { confirm } = usePasskey();
  const { passkeyId } = passkey;
  return (
    <ActDialog
      title={`Remove the passkey ${passkey.name}?`}
      consequence={`${
        isLast
          ? "It is your only one: from then on you decide with the password again."
          : "It confirms nothing from then on."
      } Your browser asks for one of your passkeys to confirm this. Also delete it on the device that has it.`}
      confirmWords="Remove passkey"
      send={async (_, client) =>
        client.passkeys.remove.mutate({
          passkeyId,
          passkey: await confirm({ purpose: "remove", passkeyId }),
        })
      }
      said={`The passkey ${passkey.name} is removed.`}
      stale={accessNouns}
      onClose={onClose}
    />
  );
}
