"use client";
// Creates an API token for the signed-in user.
import { useState } from "react";
import { z } from "zod";
import { useMe } from "@/components/frame/me";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { tokenScopes } from "@/server/domain/access/token-scopes";
import { SecretOnce } from "@/components/ui/dialogs/secret-once";
import { useAccessChanged } from "@/components/access/use-access";

const dayMs = 86_400_000;
const lifetimes = ["30", "90", "365", "never"] as const;
const formatLifetime = (days: (typeof lifetimes)[number]) => (days === "never" ? "never" : `in ${days} days`);

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(128),
  scope: z.enum(tokenScopes),
  days: z.enum(lifetimes),
});

export function CreateToken() {
  const [open, setOpen] = useState(false);
  const [token, setToken] = useState<string>();
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        Create a token…
      </Button>
      {open ? <CreateDialog onClose={() => setOpen(false)} onCreated={setToken} /> : null}
      {token === undefined ? null : (
        <SecretOnce
          title="Token created"
          what="the token"
          secret={token}
          onClose={() => setToken(undefined)}
        />
      )}
    </>
  );
}

interface CreateDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (token: string) => void;
}

function CreateDialog({ onClose, onCreated }: CreateDialogProps) {
  const { personId } = useMe();
  const client = useTRPCClient();
  const onDone = useAccessChanged();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const defaults: z.input<typeof schema> = { name: "", scope: "full", days: "90" };
  const form = useAppForm({
    defaultValues: defaults,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { name, scope, days } = schema.parse(value);
      const expiresAt = days === "never" ? null : new Date(Date.now() + Number(days) * dayMs);
      return send(formApi, `The token ${name} is created.`, async () =>
        onCreated((await client.tokens.create.mutate({ personId, name, scope, expiresAt })).token),
      );
    },
  });
  return (
    <form.AppForm>
      <FormDialog
        title="Create an API token"
        consequence={<p>A program with this token acts as you. It stops when your account is disabled.</p>}
        confirmWords="Create token"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="name">
          {(field) => <field.TextField label="Name" aside="what uses it" />}
        </form.AppField>
        <form.AppField name="scope">
          {(field) => (
            <field.SelectField
              label="Scope"
              options={[
                { value: "full", label: "full access: all that you may do" },
                { value: "read", label: "read only" },
              ]}
            />
          )}
        </form.AppField>
        <form.AppField name="days">
          {(field) => (
            <field.SelectField
              label="Expires"
              options={lifetimes.map((days) => ({ value: days, label: formatLifetime(days) }))}
            />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
