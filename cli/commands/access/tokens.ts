// `reclaim tokens` and `reclaim sessions`: lists how users and programs are signed in, and ends that.
import { contract } from "@/server/contract/contract";
import type { SessionLine, TokenLine } from "@/server/surfaces/trpc/types";
import { act, command, list } from "@/cli/define/command";
import { arg, found, opt } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findUser, pick } from "@/cli/find";
import type { Column } from "@/cli/output/printer";
import { confirm } from "@/cli/shell";

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

/** Without a user: everybody's if the caller may read them, otherwise the caller's own. */
const whose = found(opt("<user>", "only of this user: email or name"), ({ client }, text) =>
  findUser(client, text),
);

const token = found(arg("<token>", "name or id"), async ({ client }, text) =>
  pick(
    "token",
    text,
    (await client.tokens.list.query({})).map(({ tokenId, name }) => ({ id: tokenId, name })),
  ),
);

export const tokens = [
  list("tokens list", {
    of: "tokens.list",
    options: { user: whose },
    input: ({ user }) => ({ personId: user?.id }),
    columns: tokenColumns,
    none: "No API tokens.",
  }),
  act("tokens revoke", {
    of: "tokens.revoke",
    args: { token },
    input: ({ token: { id } }) => ({ tokenId: id }),
    asks: ({ token: { name } }) => [
      ["Programs that use it are refused at once."],
      `Revoke the token ${name}?`,
    ],
    said: ({ token: { name } }) => `The token ${name} is revoked.`,
  }),
];

export const sessions = [
  list("sessions list", {
    of: "sessions.list",
    options: { user: whose },
    input: ({ user }) => ({ personId: user?.id }),
    columns: sessionColumns,
    none: "No sessions.",
  }),
  command("sessions end", {
    title: `${contract.sessions.end.title}, or all of a user`,
    uses: ["sessions.end", "sessions.endAll"],
    options: {
      id: opt("<session>", "session id from `sessions list`"),
      user: opt("<user>", "all sessions of a user: email or name"),
    },
    run: async (shell, { id, user }) => {
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
    },
  }),
];
