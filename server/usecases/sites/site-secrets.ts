// The secrets of a site's network controller: found beside the document, compared with what is stored, and never given out (docs/adr/0048-site-document.md).
import { timingSafeEqual } from "node:crypto";
import { tokenHash } from "@/server/domain/access/tokens";
import { secretName, secretReferences } from "@/server/domain/site/document";
import type { SiteDocument } from "@/server/domain/site/document";
import type { SiteChange } from "@/server/domain/site/difference";
import type { DocumentFault, FaultAt } from "@/server/domain/site/parse-document";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import type { SiteState } from "@/server/usecases/sites/site-state";

/** New values; one that is left out stays as it is. */
export interface NewSecrets {
  readonly token?: string;
  readonly acknowledgementToken?: string;
}

export interface ResolvedSecrets {
  readonly values: NewSecrets;
  readonly changes: readonly SiteChange[];
  readonly faults: readonly DocumentFault[];
}

const sameHash = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Whether the site has this very secret. */
function isStored(member: string, value: string, state: SiteState, secrets: SecretBox): boolean {
  if (member === "token")
    return (
      state.networkToken !== null &&
      secrets.open(state.networkToken, secretPlaces.networkToken(state.siteId)) === value
    );
  const [hash, ...others] = state.acknowledgementHashes;
  return hash !== undefined && others.length === 0 && sameHash(hash, tokenHash(value));
}

/** @param state null: the site is new, and has no secrets */
export function resolveSecrets(
  document: SiteDocument,
  given: Readonly<Record<string, string>>,
  state: SiteState | null,
  secrets: SecretBox,
  faultAt: FaultAt,
): ResolvedSecrets {
  const has = {
    token: (state?.networkToken ?? null) !== null,
    acknowledgementToken: (state?.acknowledgementHashes.length ?? 0) > 0,
  };
  const values: { -readonly [Name in keyof NewSecrets]: NewSecrets[Name] } = {};
  const changes: SiteChange[] = [];
  const faults: DocumentFault[] = [];
  for (const { path, reference } of secretReferences(document)) {
    const member = path[1] === "token" ? "token" : "acknowledgementToken";
    const name = secretName(reference);
    const value = name === null || !Object.hasOwn(given, name) ? undefined : given[name];
    if (name === null) {
      if (!has[member])
        faults.push(faultAt(path, "the site has no stored secret here: name one by fromEnv or fromFile"));
    } else if (value === undefined) faults.push(faultAt(path, `no value was sent for ${name}`));
    else if (state === null || !isStored(member, value, state, secrets)) {
      values[member] = value;
      // One that is new is in the difference of the documents already.
      if (has[member]) changes.push({ kind: "secret", path: [...path], before: null, after: null });
    }
  }
  return { values, changes, faults };
}
