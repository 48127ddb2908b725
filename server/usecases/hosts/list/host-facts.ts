// What decides on intents, as the database has it: one set of columns for one host and for many.
import { sql } from "kysely";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";
import { isState } from "@/server/domain/lifecycle/states";
import { cleaningColumn, toCleaningFacts } from "@/server/usecases/hosts/one/cleaning-facts";
import { eraseColumn, toEraseFacts } from "@/server/usecases/hosts/one/erase-facts";

export interface FactsRow {
  readonly host_id: string;
  readonly name: string;
  readonly state: string;
  readonly state_version: bigint;
  readonly maintenance: boolean;
  readonly maintenance_by: string | null;
  /** Of the instance that is open on the host. */
  readonly tenant_id: string | null;
  readonly instance_name: string | null;
  readonly instance_open: boolean;
  readonly release_requested: boolean;
  readonly reclamation_open: boolean;
  readonly allocatable: boolean;
  /** Kinds of the signals that the controller has not read yet. */
  readonly pending: readonly string[];
  /** As `cleaningColumn` gives it. */
  readonly cleaning: unknown;
  /** As `eraseColumn` gives it. */
  readonly erase: unknown;
  readonly retired: boolean;
}

/** Columns of `FactsRow`, over `factsFrom`. */
export const factsColumns = sql`
  r.host_id::text, r.name, r.state, r.state_version, r.maintenance, r.maintenance_by, r.allocatable, i.tenant_id::text, i.name AS instance_name,
  i.id IS NOT NULL AS instance_open, i.release_requested_at IS NOT NULL AS release_requested,
  EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL) AS reclamation_open,
  ARRAY(SELECT s.kind FROM signal s WHERE s.host_id = r.host_id ORDER BY s.id) AS pending, (SELECT h.retired FROM host h WHERE h.id = r.host_id) AS retired, ${cleaningColumn}, ${eraseColumn}`;

export const factsFrom = sql`host_run r LEFT JOIN instance i ON i.host_id = r.host_id AND i.ended_at IS NULL`;

/** Throws on a state that this version does not know. */
export function toIntentFacts(row: FactsRow): IntentFacts {
  if (!isState(row.state)) throw new Error(`host ${row.host_id} is in the unknown state ${row.state}`);
  return {
    state: row.state,
    instanceOpen: row.instance_open,
    releaseRequested: row.release_requested,
    reclamationOpen: row.reclamation_open,
    allocatable: row.allocatable,
    cleaning: toCleaningFacts(row.state, row.cleaning),
    ...toEraseFacts(row.erase),
    retired: row.retired,
  };
}
