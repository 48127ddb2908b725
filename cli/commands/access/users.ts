// `reclaim users`: who can sign in, and with which role.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { roles } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import type { PersonLine } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findUser } from "@/cli/find";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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

const passwordNotice = ({ email }: { readonly email: string }): string =>
  `The password of ${email}, shown this once. The user can change it on the Account page.`;

function addList(users: Command, surroundings: Surroundings): void {
  users
    .command("list")
    .alias("ls")
    .description(contract.people.list.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list(await client.people.list.query(), columns, "There is no user.");
    });
}

interface PersonAsked {
  readonly name?: string;
  readonly role?: Role;
  readonly org?: string;
}

function addCreate(users: Command, surroundings: Surroundings): void {
  users
    .command("create")
    .description(contract.people.create.title)
    .argument("<email>")
    .requiredOption("--name <name>", "of the person")
    .requiredOption("--role <role>", roles.join(", "), readRole)
    .option("--org <org>", "of a tenant role")
    .action(async (email: string, asked: Required<PersonAsked>, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const made = await client.people.create.mutate({ email, ...asked });
      printer.secret(made, made.password, passwordNotice(made));
    });
}

function addChange(users: Command, surroundings: Surroundings): void {
  users
    .command("change")
    .description(contract.people.change.title)
    .argument("<user>", "email or name")
    .option("--name <name>", "of the person")
    .option("--role <role>", roles.join(", "), readRole)
    .option("--org <org>", "of a tenant role; none: of the provider")
    .action(async (text: string, { org, ...asked }: PersonAsked, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id, name } = await findUser(client, text);
      await client.people.change.mutate({
        personId: id,
        ...asked,
        ...(org === undefined ? {} : { org: org === "none" ? null : org }),
      });
      printer.say(`${name} is changed.`);
    });
}

/** Acts that need nothing but the user. */
const plainActs = [
  {
    name: "disable",
    act: "disable",
    consequence: "The user cannot sign in. Sessions end and all tokens are revoked at once.",
    said: "is disabled",
  },
  { name: "enable", act: "enable", consequence: "The user can sign in again.", said: "is enabled" },
] as const;

function addPlainActs(users: Command, surroundings: Surroundings): void {
  for (const { name: word, act, consequence, said } of plainActs)
    users
      .command(word)
      .description(contract.people[act].title)
      .argument("<user>", "email or name")
      .action(async (text: string, _options: object, command: Command) => {
        const shell = await openShell(command, surroundings);
        const { id, name } = await findUser(shell.client, text);
        if (act === "disable") await confirm(shell, [consequence], `Disable ${name}?`);
        await shell.client.people[act].mutate({ personId: id });
        shell.printer.say(`${name} ${said}.`);
      });
  users
    .command("reset-password")
    .description(contract.people.resetPassword.title)
    .argument("<user>", "email or name")
    .action(async (text: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { id, name } = await findUser(shell.client, text);
      await confirm(
        shell,
        [
          "The current password stops working and all sessions end. Tokens stay.",
          `You can then no longer decide on what ${name} asks for, nor ${name} on what you ask for.`,
        ],
        `Reset the password of ${name}?`,
      );
      const made = await shell.client.people.resetPassword.mutate({ personId: id });
      shell.printer.secret(made, made.password, passwordNotice(made));
    });
}

function addResetPasskeys(users: Command, surroundings: Surroundings): void {
  users
    .command("reset-passkeys")
    .description(contract.people.resetPasskeys.title)
    .argument("<user>", "email or name")
    .requiredOption("--reason <text>", "why, such as what was lost")
    .action(async (text: string, { reason }: { readonly reason: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { id, name } = await findUser(shell.client, text);
      await confirm(
        shell,
        [
          "All passkeys and tokens are removed, all sessions end, and a new password is shown once.",
          `${name} can then no longer decide on what you ask for, nor you on what ${name} asks for.`,
        ],
        `Reset the passkeys of ${name}?`,
      );
      const made = await shell.client.people.resetPasskeys.mutate({ personId: id, reason });
      shell.printer.secret(made, made.password, passwordNotice(made));
    });
}

export function addUsers(program: Command, surroundings: Surroundings): void {
  const users = program
    .command("users")
    .description("who can sign in: list, create, change, disable, enable, reset-password, reset-passkeys");
  addList(users, surroundings);
  addCreate(users, surroundings);
  addChange(users, surroundings);
  addPlainActs(users, surroundings);
  addResetPasskeys(users, surroundings);
}
