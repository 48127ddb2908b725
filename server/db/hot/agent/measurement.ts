// The quote of a boot, as it is asked of an agent and judged (docs/adr/0150-measured-boot.md).
import { heardBoot } from "@/server/db/hot/agent/attestation";
import { wakeSet } from "@/server/db/hot/agent/session";
import { named } from "@/server/db/hot/pool";
import { judgedBy } from "@/server/db/measurement-judged";

/** Asks the boot whose TPM has just proven its key. What an earlier boot showed is replaced; a boot that was asked is not asked again. No row: it was. */
export const askQuote = named<
  { readonly host_id: string },
  [hostId: string, bootEpoch: number, nonce: string]
>(
  "agent_quote_ask",
  `INSERT INTO host_measurement AS m (host_id, boot_epoch, nonce)
   SELECT b.host_id, b.boot_epoch, decode($3, 'hex') FROM ${heardBoot}
   ON CONFLICT (host_id) DO UPDATE SET boot_epoch = EXCLUDED.boot_epoch, nonce = EXCLUDED.nonce, asked_at = now(), quote = NULL, signature = NULL, pcrs = NULL,
     event_log = NULL, facts = NULL, measured_at = NULL, problem = NULL, state = 'Discovered', bundle_id = NULL, judged_at = NULL
    WHERE m.boot_epoch < EXCLUDED.boot_epoch OR (m.boot_epoch = EXCLUDED.boot_epoch AND m.measured_at IS NULL AND m.problem IS NULL)
   RETURNING m.host_id`,
);

export interface QuoteAskedRow {
  readonly nonce: Buffer;
  readonly attestation_key: Buffer;
}

/** What the answer is checked with. No row: nothing is asked of this boot, it has answered, or its TPM has not proven its key. */
export const askedQuote = named<QuoteAskedRow, [hostId: string, bootEpoch: number]>(
  "agent_quote_asked",
  `SELECT m.nonce, t.attestation_key
     FROM host_measurement m JOIN host_tpm t ON t.host_id = m.host_id AND t.boot_epoch = m.boot_epoch
    WHERE m.host_id = $1::uuid AND m.boot_epoch = $2::int
      AND m.measured_at IS NULL AND m.problem IS NULL -- safety: attestation: a nonce is answered once
      AND t.activated_at IS NOT NULL -- safety: attestation: a quote by a key that the TPM has proven
  `,
);

const told = `
   woken AS (UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM put WHERE r.host_id = put.host_id RETURNING r.host_id, r.tenant_id),
   fed AS (INSERT INTO feed (host_id, tenant_id, what) SELECT host_id, tenant_id, 'tpm' FROM woken)`;

/** Stores a quote that was found right, and judges it. No row: the boot is over, contested, or was answered meanwhile. */
export const storeQuote = named<
  { readonly state: string },
  [
    hostId: string,
    bootEpoch: number,
    nonce: string,
    quote: string,
    signature: string,
    pcrs: string,
    eventLog: string | null,
    facts: string,
  ]
>(
  "agent_quote_store",
  `WITH w AS (SELECT b.host_id, b.boot_epoch FROM ${heardBoot}),
   put AS (
     UPDATE host_measurement m SET quote = decode($4, 'base64'), signature = decode($5, 'base64'), pcrs = $6::jsonb, event_log = decode($7, 'base64'),
       facts = $8::jsonb, measured_at = now(), state = j.state, bundle_id = j.id, judged_at = now()
     FROM w JOIN host h ON h.id = w.host_id CROSS JOIN LATERAL ${judgedBy("h", "$6::jsonb")} j
     WHERE m.host_id = w.host_id AND m.boot_epoch = w.boot_epoch AND m.nonce = decode($3, 'hex') AND m.measured_at IS NULL AND m.problem IS NULL
     RETURNING m.host_id, m.state),
   ${told}
   SELECT state FROM put`,
);

/** Stores why a boot is not measured: its quote is not right, or it sent none. */
export const refuseQuote = named<
  { readonly host_id: string },
  [hostId: string, bootEpoch: number, problem: string]
>(
  "agent_quote_refuse",
  `WITH w AS (SELECT b.host_id, b.boot_epoch FROM ${heardBoot}),
   put AS (
     UPDATE host_measurement m SET problem = $3, state = 'MeasuringFailed', judged_at = now() FROM w
     WHERE m.host_id = w.host_id AND m.boot_epoch = w.boot_epoch AND m.measured_at IS NULL AND m.problem IS NULL
     RETURNING m.host_id),
   ${told}
   SELECT host_id FROM put`,
);
