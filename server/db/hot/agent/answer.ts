// What agents send on request: a new inventory, test results, and their log.
import { gathered } from "@/server/db/hot/gather";
import { seenCte, sessionCte, wakeSet } from "@/server/db/hot/agent/session";
import type { AgentQuestion } from "@/server/db/hot/agent/session";

export interface AnswerRow {
  readonly host_id: string;
  readonly boot_epoch: number;
  readonly reclamation_id: string | null;
  readonly tenant_id: string | null;
  readonly command: unknown;
  /** False: the host's current command is a different one, or of another kind or boot. Nothing was written. */
  readonly stored: boolean;
}

/** `answers` is the id of the command. */
type Answer = AgentQuestion & { readonly answers: string };

/** CTEs `s`, `seen` and `r`; `r.asked` is true if `answers` is the id of the host's current command, of kind `kind` and of this boot. */
const askedCtes = (
  kind: "discover" | "validate" | "look",
  ...bodies: readonly string[]
) => `${sessionCte(["answers text", ...bodies.map((body) => `${body} jsonb`)].join(", "))}, ${seenCte},
   r AS (
     SELECT s.n, s.host_id, s.boot_epoch, s.answers, ${bodies.map((body) => `s.${body}`).join(", ")}, r.reclamation_id, r.tenant_id, CASE WHEN r.command_epoch = s.boot_epoch THEN r.command END AS command,
            coalesce(r.command_epoch = s.boot_epoch
              AND r.command->>'id' = s.answers -- safety: answer: to the command that was given
              AND r.command->>'kind' = '${kind}', false) AS asked
       FROM s JOIN host_run r ON r.host_id = s.host_id ORDER BY r.host_id FOR UPDATE OF r)`;

const answered = `woken AS (UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id)
   SELECT n, host_id, boot_epoch, reclamation_id, tenant_id, command, asked AS stored FROM r`;

export const storeDiscovery = gathered<AnswerRow, Answer & { readonly inventory: object }>(
  "agent_discovery",
  `WITH ${askedCtes("discover", "inventory")},
   found AS (
     INSERT INTO host_inventory (host_id, source, boot_epoch, collected_at, body)
     SELECT host_id, 'agent', boot_epoch, now(), inventory FROM r WHERE asked
     ON CONFLICT (host_id, source) DO UPDATE SET boot_epoch = EXCLUDED.boot_epoch, collected_at = EXCLUDED.collected_at, body = EXCLUDED.body, left_out = '{}'),
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'discovery', jsonb_build_object('bootEpoch', boot_epoch, 'command', answers) FROM r WHERE asked RETURNING host_id),
   ${answered}`,
);

export const storeValidation = gathered<
  AnswerRow,
  Answer & { readonly tests: object; readonly content: object | null }
>(
  "agent_validation",
  `WITH ${askedCtes("validate", "tests", "content")},
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'validation', jsonb_build_object('bootEpoch', boot_epoch, 'command', answers, 'tests', tests) || CASE WHEN jsonb_typeof(content) = 'array' THEN jsonb_build_object('content', content) ELSE '{}' END FROM r WHERE asked RETURNING host_id),
   ${answered}`,
);

export const storeDrives = gathered<AnswerRow, Answer & { readonly said: object }>(
  "agent_drives",
  `WITH ${askedCtes("look", "said")},
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'drives', jsonb_build_object('bootEpoch', boot_epoch, 'command', answers) || said FROM r WHERE asked RETURNING host_id),
   ${answered}`,
);

/** Quota for the logs of one boot, in bytes of text. What exceeds it is accepted but not stored, after a last piece that says so. */
export const bootLogBytes = 8 * 1024 * 1024;

const lastSequence = 2_147_483_647;
const overQuota = `The log goes on. Reclaim keeps ${bootLogBytes / 1024 / 1024} MiB of the log of one boot.`;

/** A piece that was sent twice is stored once. */
export const storeLog = gathered<
  { readonly host_id: string },
  AgentQuestion & { readonly sequence: number; readonly text: string }
>(
  "agent_log",
  `WITH ${sessionCte("sequence int, text text")}, ${seenCte},
   kept AS (
     INSERT INTO agent_log (reclamation_id, host_id, boot_epoch, sequence, text)
     SELECT DISTINCT ON (s.host_id, s.boot_epoch, q.sequence) r.reclamation_id, s.host_id, s.boot_epoch, q.sequence, q.text
       FROM s JOIN host_run r ON r.host_id = s.host_id
       CROSS JOIN LATERAL (SELECT coalesce(sum(octet_length(g.text)), 0) >= ${bootLogBytes} AS reached
         FROM agent_log g WHERE g.host_id = s.host_id AND g.boot_epoch = s.boot_epoch) quota
       CROSS JOIN LATERAL (SELECT CASE WHEN quota.reached THEN ${lastSequence} ELSE s.sequence END AS sequence,
         CASE WHEN quota.reached THEN '${overQuota}' ELSE s.text END AS text) q
     ON CONFLICT (host_id, boot_epoch, sequence) DO NOTHING)
   SELECT n, host_id FROM s`,
);
