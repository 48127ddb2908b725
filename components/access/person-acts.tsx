"use client";
// Acts on one user: disable, enable, reset the password or the passkeys, end all sessions.
import { ActDialog, type Client } from "@/components/ui/dialogs/act-dialog";
import type { PersonLine } from "@/server/surfaces/trpc/types";
import { accessNouns } from "@/components/access/use-access";

/** `resetPasskeys` asks for a reason. */
export type PersonAct = "resetPasskeys" | PlainPersonAct;
type PlainPersonAct = "disable" | "enable" | "resetPassword" | "endSessions";

interface Offered {
  readonly words: string;
  readonly appliesTo: (person: PersonLine) => boolean;
  /** Why a user cannot do this to themselves; undefined if they can. */
  readonly notToSelf?: string;
}
interface PlainEntry extends Offered {
  readonly act: PlainPersonAct;
  readonly consequence: string;
  readonly said: string;
}

const isActive = ({ disabledAt }: PersonLine) => disabledAt === null;

const plainActs: readonly PlainEntry[] = [
  {
    act: "resetPassword",
    words: "Reset password",
    consequence:
      "A new password is shown once. The current one stops working and all sessions end; tokens stay. From then on, you cannot approve the user's requests, and the user cannot approve yours. If a device was stolen, reset the passkeys instead: that also revokes tokens.",
    said: "The password is reset.",
    appliesTo: isActive,
    notToSelf: "Change your own password on the page Account",
  },
  {
    act: "endSessions",
    words: "End all sessions",
    consequence: "The user has to sign in again everywhere. Tokens stay.",
    said: "All sessions ended.",
    appliesTo: isActive,
  },
  {
    act: "disable",
    words: "Disable",
    consequence:
      "The user cannot sign in. Sessions end and all tokens are revoked at once. What the user did stays in the audit log.",
    said: "The user is disabled.",
    appliesTo: isActive,
    notToSelf: "You cannot disable yourself: ask another provider admin",
  },
  {
    act: "enable",
    words: "Enable",
    consequence: "The user can sign in again with the password from before. Revoked tokens stay revoked.",
    said: "The user is enabled.",
    appliesTo: (person) => !isActive(person),
  },
];

export const personActs: readonly (Offered & { readonly act: PersonAct })[] = [
  ...plainActs,
  {
    act: "resetPasskeys",
    words: "Reset passkeys",
    // Also offered after an earlier reset, because it lifts that reset's block on decisions.
    appliesTo: ({ passkeys, wasReset }) => passkeys > 0 || wasReset,
    notToSelf: "Remove your own on the page Account, or ask another provider admin",
  },
];

interface PersonActDialogProps {
  readonly act: PersonAct;
  readonly person: PersonLine;
  readonly onPassword: (shown: { readonly email: string; readonly password: string }) => void;
  readonly onClose: () => void;
}

export function PersonActDialog({ act, person, onPassword, ...rest }: PersonActDialogProps) {
  const { personId, name } = person;
  const entry = plainActs.find((candidate) => candidate.act === act);
  if (entry === undefined)
    return (
      <ActDialog
        title={`Reset passkeys: ${name}?`}
        consequence={`All passkeys and tokens of this user are removed and all sessions end. A new password is shown once: give it to ${name} in person, who signs in with it and sets up a new passkey. After that, ${name} cannot approve your requests, and you cannot approve those of ${name}. An earlier reset by somebody else no longer counts.`}
        confirmWords="Reset passkeys"
        reason
        send={async ({ reason }, client) =>
          onPassword(await client.people.resetPasskeys.mutate({ personId, reason }))
        }
        said={`The passkeys of ${name} are reset.`}
        stale={accessNouns}
        {...rest}
      />
    );
  const sendAct = (client: Client): Promise<unknown> => {
    switch (entry.act) {
      case "endSessions":
        return client.sessions.endAll.mutate({ personId });
      case "resetPassword":
        return client.people.resetPassword.mutate({ personId }).then(onPassword);
      default:
        return client.people[entry.act].mutate({ personId });
    }
  };
  return (
    <ActDialog
      title={`${entry.words}: ${name}?`}
      consequence={entry.consequence}
      confirmWords={entry.words}
      send={(_, client) => sendAct(client)}
      said={entry.said}
      stale={accessNouns}
      {...rest}
    />
  );
}
