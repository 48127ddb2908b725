"use client";
// Creates an API token for the signed-in user.
import { useState } from "react";
import { z } from "zod";
import { useMe } from "@/components/frame/me";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { tokenScopes } from "@/server/domain/access/token-scopes";
import { SecretOnce } from "@/components/ui/dialogs/secret-once";
import { accessNouns } from "@/components/access/use-access";

const dayMs = 86_400_000;
const lifetimes = ["30", "90", "365", "never"] as const;
const formatLifetime = (days: (typeof lifetimes)[number]) => (days === "never" ? "never" : `in ${days} days`);

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(128, "At most 128 characters"),
  scope: z.enum(tokenScopes),
  days: z.enum(lifetimes),
});

export function CreateToken() {
  const { personId } = useMe();
  const [token, setToken] = useState<string>();
  return (
    <>
      <DialogButton
        dialog={(onClose) => (
          <ActFormDialog
            title="Create an API token"
            consequence="A program with this token acts as you. It stops when your account is disabled."
            confirmWords="Create token"
            schema={schema}
            values={{ name: "", scope: "full", days: "90" }}
            fields={{
              name: { label: "Name", aside: "what uses it" },
              scope: {
                label: "Scope",
                options: [
                  { value: "full", label: "full access: all that you may do" },
                  { value: "read", label: "read only" },
                ],
              },
              days: {
                label: "Expires",
                options: lifetimes.map((days) => ({ value: days, label: formatLifetime(days) })),
              },
            }}
            send={async ({ name, scope, days }, client) => {
              const expiresAt = days === "never" ? null : new Date(Date.now() + Number(days) * dayMs);
              setToken((await client.tokens.create.mutate({ personId, name, scope, expiresAt })).token);
            }}
            said={(_, { name }) => `The token ${name} is created.`}
            stale={accessNouns}
            onClose={onClose}
          />
        )}
      >
        Create a token…
      </DialogButton>
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
