// `reclaim users`: who can sign in, and with which role.
import { roles } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import type { PersonLine } from "@/server/surfaces/trpc/types";
import { act, list } from "@/cli/define/command";
import { arg, needed, opt, parsed, user } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";

const columns: readonly Column<PersonLine>[] = [
  { name: "name", value: (row) => row.name },
  { name: "email", value: (row) => row.email, whole: true },
  { name: "role", value: (row) => row.roleWords },
  { name: "org", value: (row) => row.org },
  { name: "state", value: (row) => (row.disabledAt === null ? "active" : "disabled"), whole: true },
  { name: "used", value: (row) => row.lastUsedAt },
  { name: "sessions", value: (row) => row.sessions, extra: true },
  { name: "tokens", value: (row) => row.tokens, extra: true },
  { name: "passkeys", value: (row) => row.passkeys, extra: true },
  { name: "created", value: (row) => row.createdAt, extra: true },
  { name: "id", value: (row) => row.personId, whole: true, extra: true },
];

function readRole(text: string): Role {
  const role = roles.find((one) => one === text);
  if (role === undefined)
    throw new CommandError("usage", `There is no role ${text}.`, `There are ${roles.join(", ")}.`);
  return role;
}

const secret = ({ email, password }: { readonly email: string; readonly password: string }) =>
  [
    password,
    `The password of ${email}, shown this once. The user can change it on the Account page.`,
  ] as const;

const name = opt("<name>", "the person's name");
const role = parsed("<role>", roles.join(", "), readRole);
const byId = ({ user: { id } }: { readonly user: { readonly id: string } }) => ({ personId: id });

export const users = [
  list("users list", { of: "people.list", columns, none: "No users." }),
  act("users create", {
    of: "people.create",
    args: { email: arg("<email>") },
    options: { name: needed(name), role: needed(role), org: opt("<org>", "the tenant, for a tenant role") },
    secret,
    examples: ["users create ada@example.com --name 'Ada Lovelace' --role operator"],
  }),
  act("users change", {
    of: "people.change",
    args: { user },
    options: { name, role, org: opt("<org>", "the tenant, for a tenant role; none: a provider user") },
    input: ({ user: { id }, org, ...given }) => ({
      ...given,
      personId: id,
      org: org === "none" ? null : org,
    }),
    said: ({ user: { name: changed } }) => `${changed} is changed.`,
  }),
  act("users disable", {
    of: "people.disable",
    args: { user },
    input: byId,
    asks: ({ user: { name: whom } }) => [
      ["The user cannot sign in. Sessions end and all tokens are revoked at once."],
      `Disable ${whom}?`,
    ],
    said: ({ user: { name: whom } }) => `${whom} is disabled.`,
  }),
  act("users enable", {
    of: "people.enable",
    args: { user },
    input: byId,
    said: ({ user: { name: whom } }) => `${whom} is enabled.`,
  }),
  act("users reset-password", {
    of: "people.resetPassword",
    args: { user },
    input: byId,
    asks: ({ user: { name: whom } }) => [
      [
        "The current password stops working and all sessions end. Tokens stay.",
        `You can then no longer decide on what ${whom} asks for, nor ${whom} on what you ask for.`,
      ],
      `Reset the password of ${whom}?`,
    ],
    secret,
  }),
  act("users reset-passkeys", {
    of: "people.resetPasskeys",
    args: { user },
    options: { reason: needed(opt("<text>", "why, for example what was lost; kept in the audit log")) },
    input: ({ user: { id }, reason }) => ({ personId: id, reason }),
    asks: ({ user: { name: whom } }) => [
      [
        "All passkeys and tokens are removed, all sessions end, and a new password is shown once.",
        `${whom} can then no longer decide on what you ask for, nor you on what ${whom} asks for.`,
      ],
      `Reset the passkeys of ${whom}?`,
    ],
    secret,
  }),
];
