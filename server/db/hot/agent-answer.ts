// What an agent brings when it was asked: a new inventory, test results, and its log.
import { seenCte, sessionCte, wakeSet } from "@/server/db/hot/agent-session";
import { named } from "@/server/db/hot/pool";

export interface AnswerRow {
  readonly host_id: string;
  readonly boot_epoch: number;
  readonly reclamation_id: string | null;
  readonly tenant_id: string | null;
  readonly command: unknown;
  /** False: the host's current command is another one, or of another kind or boot. Nothing was written. */
  readonly stored: boolean;
}

/** CTEs `s`, `seen` and `r`; `r.asked` is true when `$2` is the id of the host's current command, of kind `kind` and of this boot. */
const askedCtes = (kind: "discover" | "validate") => `${sessionCte}, ${seenCte},
   r AS (
     SELECT r.host_id, r.reclamation_id, r.tenant_id, CASE WHEN r.command_epoch = s.boot_epoch THEN r.command END AS command,
            coalesce(r.command_epoch = s.boot_epoch AND r.command->>'id' = $2::text AND r.command->>'kind' = '${kind}', false) AS asked
       FROM s JOIN host_run r ON r.host_id = s.host_id FOR UPDATE OF r)`;

const answered = `SELECT s.host_id, s.boot_epoch, r.reclamation_id, r.tenant_id, r.command, EXISTS (SELECT 1 FROM told) AS stored FROM s JOIN r ON true`;

/** `inventory` is JSON as text. */
export const storeDiscovery = named<AnswerRow, [tokenHash: Buffer, command: string, inventory: string]>(
  "agent_discovery",
  `WITH ${askedCtes("discover")},
   found AS (
     INSERT INTO host_inventory (host_id, source, boot_epoch, collected_at, body)
     SELECT r.host_id, 'agent', s.boot_epoch, now(), $3::jsonb FROM r, s WHERE r.asked
     ON CONFLICT (host_id, source) DO UPDATE SET boot_epoch = EXCLUDED.boot_epoch, collected_at = EXCLUDED.collected_at, body = EXCLUDED.body, left_out = '{}'),
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT r.host_id, 'discovery', jsonb_build_object('bootEpoch', s.boot_epoch, 'command', $2::text) FROM r, s WHERE r.asked RETURNING host_id),
   woken AS (UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id)
   ${answered}`,
);

/** `tests` is JSON as text. */
export const storeValidation = named<AnswerRow, [tokenHash: Buffer, command: string, tests: string]>(
  "agent_validation",
  `WITH ${askedCtes("validate")},
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT r.host_id, 'validation', jsonb_build_object('bootEpoch', s.boot_epoch, 'command', $2::text, 'tests', $3::jsonb) FROM r, s WHERE r.asked RETURNING host_id),
   woken AS (UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id)
   ${answered}`,
);

/** A piece that was sent twice is kept once. */
export const storeLog = named<{ readonly host_id: string }, [tokenHash: Buffer, sequence: number, text: string]>(
  "agent_log",
  `WITH ${sessionCte}, ${seenCte},
   kept AS (
     INSERT INTO agent_log (reclamation_id, host_id, boot_epoch, sequence, text)
     SELECT r.reclamation_id, s.host_id, s.boot_epoch, $2::int, $3::text FROM s JOIN host_run r ON r.host_id = s.host_id
     ON CONFLICT (host_id, boot_epoch, sequence) DO NOTHING)
   SELECT host_id FROM s`,
);
