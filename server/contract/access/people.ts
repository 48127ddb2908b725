// People, their tokens and their sessions (docs/adr/0057-people-tokens-sessions.md).
import { z } from "zod";
import { minPassword, maxPassword } from "@/server/domain/access/people";
import { roles } from "@/server/domain/access/roles";
import { tokenScopes } from "@/server/domain/access/token-scopes";
import { act, list, moment, nothing, read, reason, record } from "@/server/contract/define";

const personId = z.guid("must be the id of a person");
const ofPerson = z.strictObject({ personId });
/** Defaults to the caller's own. */
const whose = z.strictObject({ personId: personId.optional() });
const name = z.string().trim().min(1, "enter a name").max(128);
const role = z.enum(roles);
/** Name of the organisation, as in addresses; null for the provider. */
const org = z.string().max(128).nullable();

const personLine = record({
  personId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  roleWords: z.string(),
  org: z.string().nullable(),
  disabledAt: z.date().nullable(),
  createdAt: z.date(),
  /** Last use of a session or token that is still stored. */
  lastUsedAt: z.date().nullable(),
  sessions: z.number(),
  tokens: z.number(),
  passkeys: z.number(),
  /** Others reset this person's password or passkeys. They may not decide on the person's requests, nor the person on theirs. */
  wasReset: z.boolean(),
});
export type PersonLine = z.infer<typeof personLine>;

const changed = record({ personId: z.string() });

/** The password is shown only once: only its hash is stored. */
const withPassword = record({ personId: z.string(), email: z.string(), password: z.string() });

export const people = {
  list: read({
    title: "the people who can sign in: roles, organizations, last use",
    right: "person.read",
    input: nothing,
    output: list(personLine),
  }),
  create: act({
    title: "creates a person; the initial password is returned only once",
    right: "person.manage",
    action: "person.create",
    input: z.strictObject({
      email: z.email("must be an email address").max(320),
      name,
      role,
      org: org.default(null),
    }),
    output: withPassword,
  }),
  change: act({
    title: "changes a person's name, role or organization; omitted fields stay unchanged",
    right: "person.manage",
    action: "person.change",
    input: z.strictObject({
      personId,
      name: name.optional(),
      role: role.optional(),
      org: org.optional(),
    }),
    output: changed,
  }),
  disable: act({
    title: "keeps a person from signing in: sessions end and tokens are revoked at once",
    right: "person.manage",
    action: "person.disable",
    input: ofPerson,
    output: changed,
  }),
  enable: act({
    title: "lets a disabled person sign in again",
    right: "person.manage",
    action: "person.enable",
    input: ofPerson,
    output: changed,
  }),
  resetPassword: act({
    title: "sets a new password for a person, which is returned only once; sessions end",
    right: "person.manage",
    action: "person.resetPassword",
    input: ofPerson,
    output: withPassword,
  }),
  resetPasskeys: act({
    title:
      "removes all passkeys of a person who lost them and sets a new password, which is returned only once; sessions and tokens end",
    right: "person.manage",
    action: "person.resetPasskeys",
    input: z.strictObject({ personId, reason }),
    output: withPassword,
  }),
};

export const account = {
  changePassword: act({
    title: "changes the caller's own password; all sessions of the caller end",
    right: "account.change",
    action: "account.changePassword",
    input: z.strictObject({
      current: z.string().min(1, "enter the current password").max(maxPassword),
      next: z
        .string()
        .min(minPassword, `at least ${minPassword} characters`)
        .max(maxPassword, `at most ${maxPassword} characters`),
    }),
    output: changed,
  }),
};

const tokenLine = record({
  tokenId: z.string(),
  name: z.string(),
  personId: z.string(),
  personName: z.string(),
  scope: z.enum(tokenScopes),
  createdAt: z.date(),
  /** Null if it never expires. */
  expiresAt: z.date().nullable(),
  expired: z.boolean(),
  lastUsedAt: z.date().nullable(),
});
export type TokenLine = z.infer<typeof tokenLine>;

export const tokens = {
  list: read({
    title: "API tokens: scope, expiry and last use, of one person or, if permitted, of all",
    right: "token.read",
    input: whose,
    output: list(tokenLine),
  }),
  create: act({
    title:
      "creates an API token for the caller, who must be signed in to the console; the token is returned only once",
    right: "token.create",
    action: "token.create",
    input: z.strictObject({
      personId,
      name,
      /** With `read`, the token changes nothing, whatever its person may do. */
      scope: z.enum(tokenScopes).default("full"),
      /** Null: the token never expires. */
      expiresAt: moment.nullable().default(null),
    }),
    output: record({ tokenId: z.string(), token: z.string() }),
  }),
  revoke: act({
    title: "revokes an API token at once",
    right: "token.revoke",
    action: "token.revoke",
    input: z.strictObject({ tokenId: z.guid("must be the id of a token") }),
    output: record({ tokenId: z.string() }),
  }),
};

const sessionLine = record({
  sessionId: z.string(),
  personId: z.string(),
  personName: z.string(),
  beganAt: z.date(),
  /** May lag by up to a minute. */
  usedAt: z.date(),
  address: z.string().nullable(),
  /** The session that makes this request. */
  current: z.boolean(),
});
export type SessionLine = z.infer<typeof sessionLine>;

export const sessions = {
  list: read({
    title: "sessions of the console, of one person or, if permitted, of all",
    right: "session.read",
    input: whose,
    output: list(sessionLine),
  }),
  end: act({
    title: "ends a session",
    right: "session.end",
    action: "session.end",
    input: z.strictObject({ sessionId: z.guid("must be the id of a session") }),
    output: record({ sessionId: z.string() }),
  }),
  endAll: act({
    title: "ends all sessions of a person",
    right: "session.end",
    action: "session.endAll",
    input: ofPerson,
    output: changed,
  }),
};
