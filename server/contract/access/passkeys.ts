// The caller's own passkeys (docs/adr/0113-passkeys.md).
import { z } from "zod";
import { assertion, creationOptions, registration, requestOptions } from "@/server/contract/access/webauthn";
import { decidedApprovals } from "@/server/contract/assurance/approvals";
import { act, list, nothing, read, record } from "@/server/contract/define";
import { confirmMethods } from "@/server/domain/access/passkeys";
import { decisions } from "@/server/domain/assurance/approvals/approval";

const name = z.string().trim().min(1, "enter a name").max(64, "at most 64 characters");
const passkeyId = z.guid("must be the id of a passkey");
const passkeyLine = record({
  passkeyId: z.string(),
  name: z.string(),
  createdAt: z.date(),
  /** Null if never used. */
  lastUsedAt: z.date().nullable(),
  /** The host name of the console that the passkey is bound to, if that is no longer this one; null if it works here. */
  elsewhere: z.string().nullable(),
});
export type PasskeyLine = z.infer<typeof passkeyLine>;

const own = record({ passkeyId: z.string() });
const right = "account.change" as const;

export const passkeys = {
  list: read({
    title: "the caller's own passkeys, and what the caller confirms decisions with",
    right: null,
    input: nothing,
    output: record({
      items: list(passkeyLine),
      /** What the caller must confirm `approvals.decide` with. */
      confirmsWith: z.enum(confirmMethods),
      /** Why no passkey can be added or used here; null if it can. */
      refusal: z.string().nullable(),
    }),
  }),
  begin: act({
    title: "begins a confirmation with a passkey: returns what the browser's authenticator signs",
    right,
    action: "passkey.begin",
    input: z.discriminatedUnion("purpose", [
      z.strictObject({ purpose: z.literal("add") }),
      z.strictObject({ purpose: z.literal("remove"), passkeyId }),
      z.strictObject({
        purpose: z.literal("decide"),
        approvals: decidedApprovals,
        decision: z.enum(decisions),
      }),
    ]),
    output: record({ options: requestOptions, origin: z.string() }),
  }),
  beginAdd: act({
    title: "begins a new passkey: confirmed with a passkey, or with the password where there is none yet",
    right,
    action: "passkey.beginAdd",
    input: z.strictObject({
      password: z.string().min(1).max(1024).optional(),
      passkey: assertion.optional(),
    }),
    output: record({ options: creationOptions, origin: z.string() }),
  }),
  add: act({
    title: "adds the passkey that the browser made; once a person has one, their decisions need a passkey",
    right,
    action: "passkey.add",
    input: z.strictObject({ name, created: registration }),
    output: own,
  }),
  rename: act({
    title: "renames a passkey",
    right,
    action: "passkey.rename",
    input: z.strictObject({ passkeyId, name }),
    output: own,
  }),
  remove: act({
    title: "removes a passkey, confirmed with a passkey",
    right,
    action: "passkey.remove",
    input: z.strictObject({ passkeyId, passkey: assertion }),
    output: own,
  }),
};
