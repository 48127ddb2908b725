"use client";
// Acts on one user that ask for nothing: disable, enable, a new password, the end of all sessions.
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import type { PersonLine } from "@/server/surfaces/trpc/types";
import { useAccessChanged } from "@/components/access/use-access";

export type PersonAct = "disable" | "enable" | "resetPassword" | "endSessions";

interface PersonActEntry {
  readonly act: PersonAct;
  readonly words: string;
  readonly consequence: string;
  readonly said: string;
  readonly appliesTo: (person: PersonLine) => boolean;
  /** Why nobody does it to oneself; left out: one may. */
  readonly notToSelf?: string;
}

const isActive = ({ disabledAt }: PersonLine) => disabledAt === null;

export const personActs: readonly PersonActEntry[] = [
  {
    act: "resetPassword",
    words: "Reset password",
    consequence:
      "A new password is shown once. The current one stops working and all sessions end; tokens stay.",
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

interface PersonActDialogProps {
  readonly act: PersonAct;
  readonly person: PersonLine;
  readonly onPassword: (shown: { readonly email: string; readonly password: string }) => void;
  readonly onClose: () => void;
}

export function PersonActDialog({ act, person, onPassword, onClose }: PersonActDialogProps) {
  const client = useTRPCClient();
  const onDone = useAccessChanged();
  const entry = personActs.find((candidate) => candidate.act === act);
  if (entry === undefined) return null;
  const { personId } = person;
  const acts = {
    disable: () => client.people.disable.mutate({ personId }),
    enable: () => client.people.enable.mutate({ personId }),
    endSessions: () => client.sessions.endAll.mutate({ personId }),
    resetPassword: async () => onPassword(await client.people.resetPassword.mutate({ personId })),
  } as const satisfies Record<PersonAct, () => Promise<unknown>>;
  return (
    <ActDialog<unknown>
      title={`${entry.words}: ${person.name}?`}
      consequence={<p>{entry.consequence}</p>}
      confirmWords={entry.words}
      send={acts[act]}
      said={entry.said}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
