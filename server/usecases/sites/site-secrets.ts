// The secrets of a site: sent along with the document, compared with what is stored, and never returned (docs/adr/0048-site-document.md).
import { timingSafeEqual } from "node:crypto";
import { tokenHash } from "@/server/domain/access/tokens";
import { secretName, secretReferences } from "@/server/domain/sites/document";
import type { SiteDocument } from "@/server/domain/sites/document";
import type { SiteChange } from "@/server/domain/sites/difference";
import type { DocumentFault, FaultAt } from "@/server/domain/sites/parse-document";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import type { SiteState } from "@/server/usecases/sites/site-state";

/** New values; omitted ones stay unchanged. */
export interface NewSecrets {
  readonly token?: string;
  readonly acknowledgementToken?: string;
  /** For sets of BMC credentials, by name. */
  readonly passwords: ReadonlyMap<string, string>;
}

export interface ResolvedSecrets {
  readonly values: NewSecrets;
  readonly changes: readonly SiteChange[];
  readonly faults: readonly DocumentFault[];
}

/** A stored secret of a site. */
interface Stored {
  readonly there: boolean;
  readonly is: (value: string) => boolean;
}

const none: Stored = { there: false, is: () => false };

const sealed = (bytes: Uint8Array | null, place: string, secrets: SecretBox): Stored =>
  bytes === null ? none : { there: true, is: (value) => secrets.open(bytes, place) === value };

const sameHash = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

function hashed([hash, ...others]: readonly Uint8Array[]): Stored {
  if (hash === undefined) return none;
  return { there: true, is: (value) => others.length === 0 && sameHash(hash, tokenHash(value)) };
}

/** The secret that the site has for a path of its document. */
function storedAt([section, name = ""]: readonly string[], state: SiteState, secrets: SecretBox): Stored {
  if (section === "bmcCredentials") {
    const set = state.credentials.get(name);
    return set === undefined ? none : sealed(set.password, secretPlaces.credentialPassword(set.id), secrets);
  }
  return name === "token"
    ? sealed(state.networkToken, secretPlaces.networkToken(state.siteId), secrets)
    : hashed(state.acknowledgementHashes);
}

/** @param state null for a new site, which has no secrets */
export function resolveSecrets(
  document: SiteDocument,
  given: Readonly<Record<string, string>>,
  state: SiteState | null,
  secrets: SecretBox,
  faultAt: FaultAt,
): ResolvedSecrets {
  const found: { readonly path: readonly string[]; readonly value: string }[] = [];
  const changes: SiteChange[] = [];
  const faults: DocumentFault[] = [];
  for (const { path, reference } of secretReferences(document)) {
    const stored = state === null ? none : storedAt(path, state, secrets);
    const name = secretName(reference);
    const value = name === null || !Object.hasOwn(given, name) ? undefined : given[name];
    if (name === null) {
      if (!stored.there)
        faults.push(faultAt(path, "the site has no stored secret here: give one with fromEnv or fromFile"));
    } else if (value === undefined) faults.push(faultAt(path, `no value was sent for ${name}`));
    else if (!stored.is(value)) {
      found.push({ path, value });
      // A new one already shows in the difference of the documents.
      if (stored.there) changes.push({ kind: "secret", path: [...path], before: null, after: null });
    }
  }
  return { values: newSecrets(found), changes, faults };
}

function newSecrets(
  found: readonly { readonly path: readonly string[]; readonly value: string }[],
): NewSecrets {
  const controller = found.filter(({ path }) => path[0] === "networkController");
  const sets = found.filter(({ path }) => path[0] === "bmcCredentials");
  return {
    ...Object.fromEntries(controller.map(({ path, value }) => [path[1], value])),
    passwords: new Map(sets.map(({ path, value }) => [path[1] ?? "", value])),
  };
}
