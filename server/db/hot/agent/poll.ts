// What agents are to do next: one statement for agents that poll, and one for all agents that wait.
import { gathered } from "@/server/db/hot/gather";
import { seenCte, sessionCte } from "@/server/db/hot/agent/session";
import type { AgentQuestion } from "@/server/db/hot/agent/session";
import { unreplaced } from "@/server/db/hot/agent/report";
import { named } from "@/server/db/hot/pool";

export interface PollRow {
  readonly host_id: string;
  readonly boot_epoch: number;
  /** Of this boot; null: none. */
  readonly command: unknown;
  /** False: the attempt that the agent works on is over for us, so it may stop. Null: it works on none. */
  readonly wanted: boolean | null;
}

/** The step run and attempt that the agent says it is working on. */
export type PollQuestion = AgentQuestion & {
  readonly step_run_id: string | null;
  readonly attempt: number | null;
};

/** The result of a lost attempt is still wanted while nothing has replaced it. */
export const pollAgent = gathered<PollRow, PollQuestion>(
  "agent_poll",
  `WITH ${sessionCte("step_run_id uuid, attempt int")}, ${seenCte}
   SELECT s.n, s.host_id, s.boot_epoch, CASE WHEN r.command_epoch = s.boot_epoch THEN r.command END AS command,
          CASE WHEN s.step_run_id IS NOT NULL THEN EXISTS (
            SELECT 1 FROM step_run x WHERE x.id = s.step_run_id AND x.host_id = s.host_id AND x.attempt = s.attempt AND (x.status = 'running' OR EXISTS (
              SELECT 1 FROM step_attempt a WHERE a.step_run_id = x.id AND a.attempt = x.attempt AND ${unreplaced("x", "a", "r.boot_epoch = s.boot_epoch")}))) END AS wanted
     FROM s JOIN host_run r ON r.host_id = s.host_id`,
);

export interface CommandRow {
  readonly host_id: string;
  readonly boot_epoch: number;
  readonly command: unknown;
}

/** New commands of hosts whose agents wait; `seen` is the id of the command that each agent already knows. */
export const commandsOf = named<
  CommandRow,
  [hostIds: readonly string[], bootEpochs: readonly number[], seen: readonly (string | null)[]]
>(
  "agent_commands",
  `SELECT r.host_id, r.command_epoch AS boot_epoch, r.command
     FROM unnest($1::uuid[], $2::int[], $3::text[]) AS w(host_id, boot_epoch, seen)
     JOIN host_run r ON r.host_id = w.host_id AND r.command_epoch = w.boot_epoch
    WHERE r.command IS NOT NULL AND r.command->>'id' IS DISTINCT FROM w.seen`,
);

/** Tells other processes that hosts have a new command; `payload` begins with the sender's id. */
export const notifyCommands = named<{ readonly done: string }, [channel: string, payload: string]>(
  "agent_notify",
  `SELECT pg_notify($1, $2)::text AS done`,
);
