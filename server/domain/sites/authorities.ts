// Certificate authorities of a site, and how its BMCs are trusted (docs/adr/0051-certificates-of-bmcs.md). Also loaded in browsers, so the code that
// needs X.509 is in `read-authorities.ts`.
import { z } from "zod";
import { isObject } from "@/server/domain/json";
import { knownMembers } from "@/server/domain/stored";

/** Whose certificates an authority may sign. `tpm`: endorsement keys; `component`: GPUs, network cards and others that measure themselves (docs/attestation.md). */
export const authorityUses = ["bmc", "networkController", "tpm", "component"] as const;
export type AuthorityUse = (typeof authorityUses)[number];

/**
 * `pin`: an authority alone is not enough. `authority`: nobody can confirm a certificate that no authority vouches for. An existing pin of a host counts
 * in every mode.
 */
export const bmcTrusts = ["pinOrAuthority", "pin", "authority"] as const;
export type BmcTrust = (typeof bmcTrusts)[number];
export const bmcTrust = z.enum(bmcTrusts);

const maxPem = 100_000;

export const authority = z.strictObject({
  usedFor: z
    .array(z.enum(authorityUses))
    .min(1, `must name what it is used for: ${authorityUses.join(", ")}`),
  /** One or more certificates as PEM (RFC 7468). They are public. */
  pem: z.string().min(1).max(maxPem, "is longer than any bundle needs"),
});
export type SiteAuthority = z.infer<typeof authority>;

/** By name. */
export const authorities = z.record(z.string(), authority);
type Authorities = Readonly<Record<string, SiteAuthority>>;

const isKnownUse = (use: unknown): boolean => authorityUses.some((one) => one === use);

/** Drops uses unknown to this version, and authorities without any other use. Pure. */
const withKnownUses = (stored: unknown): unknown =>
  isObject(stored)
    ? Object.fromEntries(
        Object.entries(stored).flatMap(([name, one]) => {
          if (!isObject(one) || !Array.isArray(one["usedFor"])) return [[name, one]];
          const usedFor: readonly unknown[] = one["usedFor"].filter(isKnownUse);
          return usedFor.length === 0 ? [] : [[name, { ...one, usedFor }]];
        }),
      )
    : stored;

/** As stored, without members and uses that another running version added (docs/adr/0024-rolling-upgrade.md). */
export const storedAuthorities = z.preprocess(withKnownUses, knownMembers(authorities));

/**
 * Replaces `stored`, keeping what this version does not know, including authorities without a use known here. Other names that are not in
 * `after` are removed. Pure.
 */
export function replaceAuthorities(stored: unknown, after: Authorities): Record<string, unknown> {
  const old = isObject(stored) ? stored : {};
  const unseen = Object.entries(old).filter(([name, one]) => !(name in after) && !hasKnownUse(one));
  const written = Object.entries(after).map(([name, one]) => {
    const before = old[name];
    if (!isObject(before)) return [name, one] as const;
    const { usedFor } = before;
    const others: readonly unknown[] = Array.isArray(usedFor)
      ? usedFor.filter((use) => !isKnownUse(use))
      : [];
    return [name, { ...before, ...one, usedFor: [...one.usedFor, ...others] }] as const;
  });
  return Object.fromEntries([...unseen, ...written]);
}

/** An unreadable authority counts as known, so it is replaced. */
const hasKnownUse = (one: unknown): boolean =>
  !isObject(one) || !Array.isArray(one["usedFor"]) || one["usedFor"].some(isKnownUse);

const lineWidth = 64;
const block = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

/** Only the certificates, in lines of 64 characters; any text around them is dropped. Pure. */
export const normalPem = (pem: string): string =>
  [...pem.matchAll(block)]
    .map(([, body = ""]) =>
      [
        "-----BEGIN CERTIFICATE-----",
        ...(body.replaceAll(/\s/g, "").match(new RegExp(`.{1,${lineWidth}}`, "g")) ?? []),
        "-----END CERTIFICATE-----",
        "",
      ].join("\n"),
    )
    .join("");

/** Text for people, with each certificate replaced by one word. Pure. */
export const withoutPem = (text: string): string =>
  text.replaceAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----(\\n|\n)?/g, "(certificate)");

/** Normalizes authorities, so that equal settings are equal texts. Pure. */
export const normalAuthorities = (given: Authorities): Record<string, SiteAuthority> =>
  Object.fromEntries(
    Object.entries(given).map(([name, { usedFor, pem }]) => [
      name,
      { usedFor: authorityUses.filter((use) => usedFor.includes(use)), pem: normalPem(pem) },
    ]),
  );

/** The bundle for one use; null: the site names none, which for connections means the system's authorities. Pure. */
export function authoritiesFor(given: Authorities, use: AuthorityUse): string | null {
  const bundles = Object.values(given).filter(({ usedFor }) => usedFor.includes(use));
  return bundles.length === 0 ? null : bundles.map(({ pem }) => pem).join("");
}

/** Uses for connections that the server makes. */
export type ConnectionUse = Exclude<AuthorityUse, "tpm" | "component">;

/** PEM for each use; null: the site names none, which for connections means the system's authorities, and that nobody vouches for a component. */
export type AuthorityBundles = Readonly<Record<ConnectionUse | "component", string | null>>;

/** The bundles from the stored authorities. Null: they cannot be read, so nothing vouches for any certificate. Pure. */
export function bundlesOf(stored: unknown): AuthorityBundles | null {
  const found = storedAuthorities.safeParse(stored).data;
  return found === undefined
    ? null
    : {
        bmc: authoritiesFor(found, "bmc"),
        networkController: authoritiesFor(found, "networkController"),
        component: authoritiesFor(found, "component"),
      };
}

/** The authorities that vouch for TPMs, from the stored ones; empty: none does, also if they cannot be read. Pure. */
export const tpmAuthoritiesOf = (stored: unknown): string =>
  authoritiesFor(storedAuthorities.safeParse(stored).data ?? {}, "tpm") ?? "";

/** What the server needs to know about a site before it talks to one of its BMCs. */
export interface SiteTrust {
  readonly by: BmcTrust;
  /** PEM; null: the system's authorities. */
  readonly authorities: string | null;
}

export const authorityExpiries = ["expired", "soon", "later"] as const;
export type AuthorityExpiry = (typeof authorityExpiries)[number];

/** Enough time to create a new authority and issue a certificate to every BMC. */
const soonMs = 60 * 86_400_000;

/** @param validTo ISO 8601. Pure. */
export function authorityExpiry(validTo: string, now: Date): AuthorityExpiry {
  const left = Date.parse(validTo) - now.getTime();
  // An invalid time does not prove validity.
  return !(left > 0) ? "expired" : left <= soonMs ? "soon" : "later";
}
