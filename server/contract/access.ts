// People, their tokens and their sessions (docs/adr/0057-people-tokens-sessions.md), and the audit log of what they did.
import { z } from "zod";
import { leastPassword, mostPassword } from "@/server/domain/access/people";
import { roles } from "@/server/domain/access/roles";
import { tokenScopes } from "@/server/domain/access/token-scopes";
import { tenantEntry } from "@/server/domain/site/document";
import { act, list, moment, nothing, paging, read, reason, record } from "@/server/contract/define";

const personId = z.guid("must be the id of a person");
const ofPerson = z.strictObject({ personId });
/** Left out: the caller's own. */
const whose = z.strictObject({ personId: personId.optional() });
const name = z.string().trim().min(1, "enter a name").max(128);
const role = z.enum(roles);
/** By name, as addresses have it; null: of the provider. */
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
  /** Of a session or a token, as far as it is kept. */
  lastUsedAt: z.date().nullable(),
  sessions: z.number(),
  tokens: z.number(),
});
export type PersonLine = z.infer<typeof personLine>;

const changed = record({ personId: z.string() });

/** Shown this once: only a hash of the password is kept. */
const withPassword = record({ personId: z.string(), email: z.string(), password: z.string() });

export const people = {
  list: read({
    title: "the people who can sign in: roles, organizations, last use",
    right: "person.read",
    input: nothing,
    output: list(personLine),
  }),
  create: act({
    title: "makes a person; the initial password is in the answer and nowhere else",
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
    title: "changes a person's name, role or organization; what is left out stays",
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
    title: "gives a person a new password, which is in the answer and nowhere else; sessions end",
    right: "person.manage",
    action: "person.resetPassword",
    input: ofPerson,
    output: withPassword,
  }),
};

const tenantAt = record({
  siteId: z.string(),
  site: z.string(),
  /** It may hold hosts of the site. */
  networkAllocation: z.boolean(),
  /** It may repair them. */
  targetedInstanceCreation: z.boolean(),
  /** Its open instances there. */
  instances: z.number(),
});

const tenantLine = record({
  tenantId: z.string(),
  /** Names it in addresses. */
  org: z.string(),
  name: z.string(),
  /** Null: not disabled. */
  disabledAt: z.date().nullable(),
  /** How many instances it may hold; null: no limit. */
  instanceQuota: z.number().nullable(),
  /** Open ones, also on hosts that are gone. */
  instances: z.number(),
  /** Who can sign in for it, disabled ones left out. */
  people: z.number(),
  /** Every site. */
  sites: list(tenantAt),
  createdAt: z.date(),
});
export type TenantLine = z.infer<typeof tenantLine>;

const tenantOrg = z.strictObject({ org: tenantEntry.shape.org });
const instanceQuota = tenantEntry.shape.instanceQuota.unwrap();
const madeTenant = record({ org: z.string() });

export const tenants = {
  list: read({
    title: "the tenants: people, instances, and what each may do at every site",
    right: "tenant.read",
    input: nothing,
    output: list(tenantLine),
  }),
  create: act({
    title: "makes a tenant, which may do nothing at any site yet",
    right: "tenant.manage",
    action: "tenant.create",
    input: tenantOrg.extend({ name: tenantEntry.shape.name, instanceQuota: instanceQuota.default(null) }),
    output: madeTenant,
  }),
  change: act({
    title: "changes the name or the quota of a tenant; what is left out stays",
    right: "tenant.manage",
    action: "tenant.change",
    input: tenantOrg.extend({
      name: tenantEntry.shape.name.optional(),
      instanceQuota: instanceQuota.optional(),
    }),
    output: madeTenant,
  }),
  setGrants: act({
    title: "gives or takes what a tenant may do at a site; what is left out stays",
    right: "tenant.manage",
    action: "tenant.setGrants",
    input: tenantOrg.extend({
      /** By name. */
      site: z.string().trim().min(1).max(128),
      networkAllocation: z.boolean().optional(),
      targetedInstanceCreation: z.boolean().optional(),
      reason,
    }),
    output: record({ org: z.string(), site: z.string(), changed: z.boolean() }),
  }),
  disable: act({
    title: "keeps the people of a tenant out and gives it no host; its instances stay",
    right: "tenant.manage",
    action: "tenant.disable",
    input: tenantOrg.extend({ reason }),
    output: madeTenant,
  }),
  enable: act({
    title: "lets a disabled tenant in again",
    right: "tenant.manage",
    action: "tenant.enable",
    input: tenantOrg.extend({ reason }),
    output: madeTenant,
  }),
};

export const account = {
  changePassword: act({
    title: "changes the caller's own password; all sessions of the caller end",
    right: "account.change",
    action: "account.changePassword",
    input: z.strictObject({
      current: z.string().min(1, "enter the current password").max(mostPassword),
      next: z
        .string()
        .min(leastPassword, `at least ${leastPassword} characters`)
        .max(mostPassword, `at most ${mostPassword} characters`),
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
  /** Null: never. */
  expiresAt: z.date().nullable(),
  expired: z.boolean(),
  lastUsedAt: z.date().nullable(),
});
export type TokenLine = z.infer<typeof tokenLine>;

export const tokens = {
  list: read({
    title: "API tokens: scope, expiry and last use; of all people for who may read them, or of one",
    right: "token.read",
    input: whose,
    output: list(tokenLine),
  }),
  create: act({
    title:
      "makes an API token for the caller, who signed in to the console; its text is in the answer and nowhere else",
    right: "token.create",
    action: "token.create",
    input: z.strictObject({
      personId,
      name,
      /** `read`: it changes nothing, whatever its person may. */
      scope: z.enum(tokenScopes).default("full"),
      /** Null: never. */
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
  /** A minute old at most. */
  usedAt: z.date(),
  address: z.string().nullable(),
  /** The one that asks. */
  current: z.boolean(),
});
export type SessionLine = z.infer<typeof sessionLine>;

export const sessions = {
  list: read({
    title: "sessions of the console; of all people for who may read them, or of one",
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

export const auditOutcomes = ["done", "refused"] as const;

const auditLine = record({
  id: z.string(),
  at: z.date(),
  /** `person`, `token`, `system` and so on. */
  actorKind: z.string(),
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  action: z.string(),
  targetKind: z.string().nullable(),
  targetId: z.string().nullable(),
  /** Of a host that is still there; null otherwise. */
  targetName: z.string().nullable(),
  outcome: z.string(),
  requestId: z.string().nullable(),
  address: z.string().nullable(),
  /** Facts without secrets, before and after; of a refused request `after` says why. */
  before: z.unknown(),
  after: z.unknown(),
});
export type AuditLine = z.infer<typeof auditLine>;

const auditList = record({
  rows: list(auditLine),
  nextCursor: z.string().nullable(),
  /** The filter matched so little that the search stopped: after so many events, at the time of the last. Null: it did not stop. `nextCursor` goes on. */
  searched: record({ to: z.date(), events: z.number() }).nullable(),
});
export type AuditList = z.infer<typeof auditList>;

export const audit = {
  list: read({
    title: "the audit log, newest first: who did what, and what was refused",
    right: "audit.read",
    input: z.strictObject({
      /** One event. */
      id: z.guid("must be the id of an event").optional(),
      targetId: z.string().min(1).max(128).optional(),
      /** A name in full, or an id. */
      actor: z.string().min(1).max(128).optional(),
      /** `host.release`, or all that begin so: `host.`. */
      action: z.string().min(1).max(64).optional(),
      outcome: z.enum(auditOutcomes).optional(),
      since: moment.optional(),
      until: moment.optional(),
      ...paging(500, 100),
    }),
    output: auditList,
  }),
};
