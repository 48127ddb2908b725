"use client";
// Removes all passkeys of a user who lost them or had a device stolen, and shows the new password.
import { useState } from "react";
import { z } from "zod";
import { useAccessChanged } from "@/components/access/use-access";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import type { PersonLine } from "@/server/surfaces/trpc/types";

const schema = z.object({ reason: reasonText() });

interface ResetPasskeysProps {
  readonly person: PersonLine;
  readonly onPassword: (shown: { readonly email: string; readonly password: string }) => void;
  readonly onClose: () => void;
}

export function ResetPasskeys({ person, onPassword, onClose }: ResetPasskeysProps) {
  const { personId, name } = person;
  const client = useTRPCClient();
  const onDone = useAccessChanged();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState({ reason: "" });
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `The passkeys of ${name} are reset.`, async () => {
        const reason = value.reason.trim();
        onPassword(await client.people.resetPasskeys.mutate({ personId, reason }));
      }),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Reset passkeys: ${name}?`}
        consequence={
          <p>
            All passkeys and tokens of this user are removed and all sessions end. A new password is shown
            once: give it to {name} in person, who signs in with it and sets up a new passkey. {name} can then
            no longer decide on what you ask for, nor you on what {name} asks for. An earlier reset by
            somebody else no longer counts.
          </p>
        }
        confirmWords="Reset passkeys"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="reason">
          {(field) => <field.TextAreaField label="Reason" rows={2} />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
