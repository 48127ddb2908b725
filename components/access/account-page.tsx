"use client";
// The signed-in user's own account: identity, password, passkeys, tokens and sessions.
import { z } from "zod";
import { useMe } from "@/components/frame/me";
import { leave } from "@/components/frame/sign-out";
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Fields, type FieldSpecs } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import { useSend } from "@/components/ui/form/use-send";
import { minPassword, maxPassword } from "@/server/domain/access/people";
import { CreateToken } from "@/components/access/create-token";
import { PasskeysSection } from "@/components/access/passkeys-section";
import { SessionsTable } from "@/components/access/sessions-table";
import { TokensTable } from "@/components/access/tokens-table";

export function AccountPage() {
  const { personId, name, email, roleWords, tenant } = useMe();
  return (
    <>
      <div className="head">
        <h1>Account</h1>
        <span className="what">
          {name}, {tenant === null ? roleWords : `${roleWords} of ${tenant.name}`}, {email}
        </span>
      </div>
      <section aria-label="Password">
        <div className="sec">
          <h2>Password</h2>
        </div>
        <PasswordForm />
      </section>
      <PasskeysSection />
      <section aria-label="API tokens">
        <div className="sec">
          <h2>API tokens</h2>
          <span className="end">
            <CreateToken />
          </span>
        </div>
        <TokensTable personId={personId} />
      </section>
      <section aria-label="Sessions">
        <div className="sec">
          <h2>Sessions</h2>
          <span className="end">
            <EndAll personId={personId} />
          </span>
        </div>
        <SessionsTable personId={personId} />
      </section>
    </>
  );
}

const schema = z
  .object({
    current: z.string().min(1, "Enter the current password"),
    next: z.string().min(minPassword, `The new password needs ${minPassword} characters`).max(maxPassword),
    again: z.string(),
  })
  .refine(({ next, again }) => next === again, { path: ["again"], error: "The new passwords differ" });

const fields: FieldSpecs = {
  current: { label: "Current password", autoComplete: "current-password", type: "password" },
  next: { label: "New password", autoComplete: "new-password", type: "password" },
  again: { label: "New password, again", autoComplete: "new-password", type: "password" },
};

function PasswordForm() {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: () => void leave(), onDone: () => undefined });
  const form = useAppForm({
    defaultValues: { current: "", next: "", again: "" },
    validators: { onChange: schema },
    onSubmit: ({ value: { current, next }, formApi }) =>
      send(formApi, "The password is changed. Sign in with it.", () =>
        client.account.changePassword.mutate({ current, next }),
      ),
  });
  return (
    <form.AppForm>
      <PageForm className="settings-form" schema={schema} problem={problem} submitWords="Change password">
        <div className="fields">
          <Fields form={form} fields={fields} />
        </div>
        <p className="text-quiet">All your sessions end, this one too. Tokens stay.</p>
      </PageForm>
    </form.AppForm>
  );
}

const EndAll = ({ personId }: { readonly personId: string }) => (
  <DialogButton
    dialog={(onClose) => (
      <ActDialog
        title="End all your sessions?"
        consequence="You have to sign in again everywhere, here too. Tokens stay."
        confirmWords="End all sessions"
        send={async (_, client) => {
          await client.sessions.endAll.mutate({ personId });
          void leave();
        }}
        said="All your sessions ended."
        onClose={onClose}
      />
    )}
  >
    End all sessions…
  </DialogButton>
);
