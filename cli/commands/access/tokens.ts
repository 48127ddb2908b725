// `reclaim tokens` and `reclaim sessions`: lists how users and programs are signed in, and ends that.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { SessionLine, TokenLine } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { findUser, pick } from "@/cli/find";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const tokenColumns: readonly Column<TokenLine>[] = [
  { name: "name", value: (row) => row.name },
  { name: "user", value: (row) => row.personName },
  { name: "scope", value: (row) => row.scope },
  {
    name: "expires",
    value: (row) => row.expiresAt,
    text: (row, printer) =>
      row.expired ? "expired" : row.expiresAt === null ? "never" : printer.time(row.expiresAt),
  },
  { name: "used", value: (row) => row.lastUsedAt },
  { name: "created", value: (row) => row.createdAt, extra: true },
  { name: "id", value: (row) => row.tokenId, whole: true },
];

const sessionColumns: readonly Column<SessionLine>[] = [
  { name: "user", value: (row) => row.personName },
  { name: "address", value: (row) => row.address },
  { name: "began", value: (row) => row.beganAt },
  { name: "used", value: (row) => row.usedAt },
  { name: "id", value: (row) => row.sessionId, whole: true },
];

interface Whose {
  readonly user?: string;
}

interface Listed<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly none: string;
  /** Without a user: everybody's if the caller may read them, otherwise the caller's own. */
  readonly read: (client: Client, whose: { personId?: string }) => Promise<readonly Row[]>;
}

function addList<Row>(
  group: Command,
  surroundings: Surroundings,
  { title, columns, none, read }: Listed<Row>,
): void {
  group
    .command("list")
    .alias("ls")
    .description(title)
    .option("--user <user>", "of one: email or name")
    .action(async ({ user }: Whose, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const whose = user === undefined ? {} : { personId: (await findUser(client, user)).id };
      printer.list(await read(client, whose), columns, none);
    });
}

function addRevoke(tokens: Command, surroundings: Surroundings): void {
  tokens
    .command("revoke")
    .description(contract.tokens.revoke.title)
    .argument("<token>", "name or id")
    .action(async (text: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { client, printer } = shell;
      const all = (await client.tokens.list.query({})).map(({ tokenId, name }) => ({ id: tokenId, name }));
      const { id, name } = pick("token", text, all);
      await confirm(shell, ["Programs that use it are refused at once."], `Revoke the token ${name}?`);
      await client.tokens.revoke.mutate({ tokenId: id });
      printer.say(`The token ${name} is revoked.`);
    });
}

export function addTokens(program: Command, surroundings: Surroundings): void {
  const tokens = program
    .command("tokens")
    .description("API tokens: list, revoke; create them in the console");
  addList(tokens, surroundings, {
    title: contract.tokens.list.title,
    columns: tokenColumns,
    none: "No API tokens.",
    read: (client, whose) => client.tokens.list.query(whose),
  });
  addRevoke(tokens, surroundings);
}

interface EndAsked extends Whose {
  readonly id?: string;
}

export function addSessions(program: Command, surroundings: Surroundings): void {
  const sessions = program.command("sessions").description("sessions of the console: list, end");
  addList(sessions, surroundings, {
    title: contract.sessions.list.title,
    columns: sessionColumns,
    none: "No sessions.",
    read: (client, whose) => client.sessions.list.query(whose),
  });
  sessions
    .command("end")
    .description(`${contract.sessions.end.title}, or all of a user`)
    .option("--id <session>", "one session, as the list has it")
    .option("--user <user>", "all sessions of a user: email or name")
    .action(async ({ id, user }: EndAsked, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { client, printer } = shell;
      if ((id === undefined) === (user === undefined))
        throw new CommandError("usage", "Name either --id or --user.");
      if (id !== undefined) {
        await client.sessions.end.mutate({ sessionId: id });
        return printer.say("The session has ended.");
      }
      const person = await findUser(client, user ?? "");
      await confirm(
        shell,
        ["The user has to sign in again everywhere."],
        `End all sessions of ${person.name}?`,
      );
      await client.sessions.endAll.mutate({ personId: person.id });
      printer.say(`All sessions of ${person.name} have ended.`);
    });
}
