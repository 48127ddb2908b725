"use client";
// Removes the passkeys of a user who lost them all.
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
  readonly onClose: () => void;
}

export function ResetPasskeys({ person, onClose }: ResetPasskeysProps) {
  const { personId, name } = person;
  const client = useTRPCClient();
  const onDone = useAccessChanged();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState({ reason: "" });
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `The passkeys of ${name} are removed.`, () =>
        client.people.resetPasskeys.mutate({ personId, reason: value.reason.trim() }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Reset passkeys: ${name}?`}
        consequence={
          <p>
            All passkeys of this user are removed and all sessions end. {name} signs in with the password and
            sets up a new passkey. What you ask for, {name} can then no longer decide on.
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
