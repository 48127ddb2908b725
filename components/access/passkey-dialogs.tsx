"use client";
// Dialogs that add, rename and remove a passkey. All but renaming need confirmation: with a passkey, or with the password for the first one.
import { z } from "zod";
import { useState } from "react";
import { useAccessChanged } from "@/components/access/use-access";
import { useConfirm, usePasskey } from "@/components/access/use-passkey";
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import type { PasskeyLine } from "@/server/surfaces/trpc/types";

const name = z.string().trim().min(1, "Enter a name").max(64, "At most 64 characters");

interface AddProps {
  readonly isFirst: boolean;
  readonly onClose: () => void;
}

export function AddPasskey({ isFirst, onClose }: AddProps) {
  const onDone = useAccessChanged();
  const { add } = usePasskey();
  const { missing, given } = useConfirm();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [schema] = useState(() =>
    z.object({ name, password: isFirst ? z.string().min(1, "Enter your password") : z.string() }),
  );
  const [defaultValues] = useState({ name: "", password: "" });
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `The passkey ${value.name.trim()} is set up.`, async () =>
        add(value.name.trim(), await given({ purpose: "add" }, value.password)),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title="Add a passkey"
        consequence={
          <p>
            {isFirst
              ? "You then confirm your decisions with a passkey, in the console; the password alone and tokens are refused. Add a second one soon: if you lose all of them, a provider admin must reset them."
              : "Your browser asks twice: for a passkey that you have, then for the new one."}
          </p>
        }
        confirmWords="Add passkey"
        schema={schema}
        missing={missing}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="name">
          {(field) => <field.TextField label="Name" aside="such as the device that has it" autoFocus />}
        </form.AppField>
        {isFirst ? (
          <form.AppField name="password">
            {(field) => (
              <field.TextField label="Your password" type="password" autoComplete="current-password" />
            )}
          </form.AppField>
        ) : null}
      </FormDialog>
    </form.AppForm>
  );
}

interface OneProps {
  readonly passkey: PasskeyLine;
  readonly onClose: () => void;
}

const renameSchema = z.object({ name });

export function RenamePasskey({ passkey, onClose }: OneProps) {
  const client = useTRPCClient();
  const onDone = useAccessChanged();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const { passkeyId } = passkey;
  const [defaultValues] = useState({ name: passkey.name });
  const form = useAppForm({
    defaultValues,
    validators: { onChange: renameSchema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `The passkey ${passkey.name} is renamed.`, () =>
        client.passkeys.rename.mutate({ passkeyId, name: value.name.trim() }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Rename the passkey ${passkey.name}`}
        consequence={<p>The name is for you. The passkey stays as it is.</p>}
        confirmWords="Rename passkey"
        schema={renameSchema}
        problem={problem}
        edits
        onClose={onClose}
      >
        <form.AppField name="name">{(field) => <field.TextField label="Name" autoFocus />}</form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}

export function RemovePasskey({ passkey, isLast, onClose }: OneProps & { readonly isLast: boolean }) {
  const client = useTRPCClient();
  const onDone = useAccessChanged();
  const { confirm } = usePasskey();
  const { passkeyId } = passkey;
  return (
    <ActDialog
      title={`Remove the passkey ${passkey.name}?`}
      consequence={
        <p>
          {isLast
            ? "It is your only one: from then on you decide with the password again. "
            : "It confirms nothing from then on. "}
          Your browser asks for one of your passkeys to confirm this. Also delete it on the device that has
          it.
        </p>
      }
      confirmWords="Remove passkey"
      send={async () =>
        client.passkeys.remove.mutate({
          passkeyId,
          passkey: await confirm({ purpose: "remove", passkeyId }),
        })
      }
      said={`The passkey ${passkey.name} is removed.`}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
