// The identity of a TPM, as an agent shows and proves it (docs/adr/0147-tpm-identity.md). Each statement is for the session of the newest boot of a host, which
// nothing else answered in.
import { named } from "@/server/db/hot/pool";

/** What a site asks of a host's TPM. */
export interface AttestationAskedRow {
  /** As the open reclamation's policy or else the site's has it; null: it is of a release that does not know attestation. */
  readonly mode: string | null;
  readonly authorities: unknown;
  /** A reclamation that cleans is open. */
  readonly cleaning: boolean;
}

/** A boot whose agent is heard: the newest one, and not contested. Otherwise nothing that it shows of its TPM counts. */
export const heardBoot = `host_run r JOIN boot_window b ON b.host_id = r.host_id AND b.boot_epoch = $2::int
    WHERE r.host_id = $1::uuid
      AND r.boot_epoch = b.boot_epoch -- safety: attestation: of the newest boot
      AND b.contested_at IS NULL -- safety: attestation: not of a contested boot
  `;

/** No row: the boot is over, or contested. */
export const askAttestation = named<AttestationAskedRow, [hostId: string, bootEpoch: number]>(
  "agent_attestation",
  `WITH w AS (SELECT r.host_id FROM ${heardBoot})
   SELECT CASE WHEN c.policy->>'attestation' = 'required' THEN 'required' ELSE p.body->>'attestation' END AS mode, t.authorities,
     c.kind IS NOT NULL AND c.kind <> 'manualCleaning' AS cleaning
     FROM w JOIN host h ON h.id = w.host_id JOIN site t ON t.id = h.site_id JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version
     LEFT JOIN reclamation c ON c.host_id = w.host_id AND c.ended_at IS NULL`,
);

/** In place of what an earlier boot showed, or this one before it proved anything. */
const unlessProven = `(host_tpm.boot_epoch < EXCLUDED.boot_epoch OR host_tpm.activated_at IS NULL)`;

/** Stores keys that were shown, and the secret that their credential hides. No row: the boot is over or contested, or has proven an identity. */
export const offerTpm = named<
  { readonly host_id: string },
  [
    hostId: string,
    bootEpoch: number,
    endorsementKey: string,
    keyDigest: string,
    certificate: string | null,
    verdict: string | null,
    attestationKey: string,
    secretHash: string,
  ]
>(
  "agent_tpm_offer",
  `INSERT INTO host_tpm (host_id, boot_epoch, endorsement_key, key_digest, certificate, verdict, attestation_key, secret_hash)
   SELECT b.host_id, b.boot_epoch, decode($3, 'base64'), $4, decode($5, 'base64'), $6::jsonb, decode($7, 'base64'), decode($8, 'hex') FROM ${heardBoot}
   ON CONFLICT (host_id) DO UPDATE SET boot_epoch = EXCLUDED.boot_epoch, told_at = now(), endorsement_key = EXCLUDED.endorsement_key, key_digest = EXCLUDED.key_digest,
     certificate = EXCLUDED.certificate, verdict = EXCLUDED.verdict, attestation_key = EXCLUDED.attestation_key, secret_hash = EXCLUDED.secret_hash,
     activated_at = NULL, problem = NULL, problem_kind = NULL
    WHERE ${unlessProven} RETURNING host_id`,
);

/** Stores why a boot shows no key. What counts as the host's key stays. */
export const noteTpmProblem = named<
  { readonly host_id: string },
  [hostId: string, bootEpoch: number, kind: string, problem: string]
>(
  "agent_tpm_problem",
  `INSERT INTO host_tpm (host_id, boot_epoch, problem_kind, problem) SELECT b.host_id, b.boot_epoch, $3, $4 FROM ${heardBoot}
   ON CONFLICT (host_id) DO UPDATE SET boot_epoch = EXCLUDED.boot_epoch, told_at = now(), endorsement_key = NULL, key_digest = NULL, certificate = NULL, verdict = NULL,
     attestation_key = NULL, secret_hash = NULL, activated_at = NULL, problem = EXCLUDED.problem, problem_kind = EXCLUDED.problem_kind
    WHERE ${unlessProven} RETURNING host_id`,
);

export interface ActivatedRow {
  readonly key_digest: string;
  /** The key that counts as the host's, from now on. */
  readonly accepted_digest: string;
  readonly tenant_id: string | null;
}

/**
 * The TPM has opened its credential. The first key of a host counts as its own from then on; one that was pinned in a boot that was contested later counts for
 * nothing. No row: another secret, nothing was offered in this boot, or the boot is over or contested.
 */
export const activateTpm = named<ActivatedRow, [hostId: string, bootEpoch: number, secretHash: string]>(
  "agent_tpm_activate",
  `WITH w AS (
     SELECT b.host_id, b.boot_epoch, r.tenant_id FROM ${heardBoot}),
   k AS (
     SELECT t.host_id, t.key_digest, w.tenant_id, coalesce(t.verdict->>'authority', '') <> '' AS vouched,
       t.accepted_digest IS NULL OR (t.accepted_as <> 'operator' AND EXISTS (
         SELECT 1 FROM boot_window c WHERE c.host_id = t.host_id AND c.boot_epoch = t.accepted_epoch AND c.contested_at IS NOT NULL)) AS first
     FROM host_tpm t JOIN w ON w.host_id = t.host_id AND w.boot_epoch = t.boot_epoch
     WHERE t.secret_hash = decode($3, 'hex') -- safety: attestation: the secret of this credential
     FOR UPDATE OF t),
   put AS (
     UPDATE host_tpm t SET activated_at = coalesce(t.activated_at, now()),
       accepted_digest = CASE WHEN k.first THEN k.key_digest ELSE t.accepted_digest END,
       accepted_as = CASE WHEN k.first THEN CASE WHEN k.vouched THEN 'certificate' ELSE 'firstContact' END
         WHEN t.accepted_as = 'firstContact' AND k.vouched AND t.accepted_digest = k.key_digest THEN 'certificate' ELSE t.accepted_as END,
       accepted_at = CASE WHEN k.first THEN now() ELSE t.accepted_at END,
       accepted_epoch = CASE WHEN k.first THEN t.boot_epoch ELSE t.accepted_epoch END,
       accepted_by = CASE WHEN k.first THEN NULL ELSE t.accepted_by END,
       proven_at = CASE WHEN k.first OR t.accepted_digest = k.key_digest THEN now() ELSE t.proven_at END,
       proven_epoch = CASE WHEN k.first OR t.accepted_digest = k.key_digest THEN t.boot_epoch ELSE t.proven_epoch END
     FROM k WHERE t.host_id = k.host_id RETURNING t.host_id, t.key_digest, t.accepted_digest, k.tenant_id),
   fed AS (INSERT INTO feed (host_id, tenant_id, what) SELECT host_id, tenant_id, 'tpm' FROM put)
   SELECT key_digest, accepted_digest, tenant_id FROM put`,
);
