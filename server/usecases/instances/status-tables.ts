// Status projections as tables for SQL joins, so that the database can filter, sort and page by a status whose rule is only in the domain.
import { sql } from "kysely";
import {
  nicoInstanceStatus,
  nicoMachineStatus,
  nicoUnknownMachine,
} from "@/server/domain/lifecycle/projections";
import { allStates, storedState } from "@/server/domain/lifecycle/states";

const both = [false, true];

const machineRows = allStates().flatMap((state) =>
  both.flatMap((maintenance) =>
    both.map((allocatable) => ({
      state,
      maintenance,
      allocatable,
      status: nicoMachineStatus(state, { maintenance, allocatable }).status,
    })),
  ),
);
const instanceRows = allStates().flatMap((state) =>
  both.map((released) => ({
    state,
    released,
    status: nicoInstanceStatus(state, { releaseRequested: released, onlineRepair: false }),
  })),
);

/** For a LEFT JOIN, because a state of another release has no row. Columns `state, maintenance, allocatable, status`. */
export const machineStatuses = sql`jsonb_to_recordset(${JSON.stringify(machineRows)}::jsonb) AS p (state text, maintenance boolean, allocatable boolean, status text)`;

/** For a host `r`: its row, or the status for a state of another release (docs/adr/0024-rolling-upgrade.md). */
export const machineStatus = sql`coalesce(p.status, ${nicoUnknownMachine.status})`;

/** For a LEFT JOIN, because a state of another release has no row. Columns `state, released, status`. `instanceStatus` adds online repairs. */
export const instanceStatuses = sql`jsonb_to_recordset(${JSON.stringify(instanceRows)}::jsonb) AS p (state text, released boolean, status text)`;

const ofUnknown = (text: string, releaseRequested: boolean): string =>
  nicoInstanceStatus(storedState(text), { releaseRequested, onlineRepair: false });

const heldReady = (onlineRepair: boolean): string =>
  nicoInstanceStatus("Assigned/Ready", { releaseRequested: false, onlineRepair });
const [ready, repairing] = [heldReady(false), heldReady(true)];
/** For a host `r`: an online repair is in progress. */
const isRepaired = sql`coalesce(r.health @> '{"onlineRepair": true}', false)`;

/**
 * For an instance `i` on a host `r`: its row, or the status for a state of another release, of which only failure is recognized. A gone host cannot
 * return from its instance, which leaves only the release.
 */
export const instanceStatus = sql`CASE WHEN p.status = ${ready} AND ${isRepaired} THEN ${repairing} ELSE coalesce(p.status, CASE WHEN i.release_requested_at IS NOT NULL OR r.host_id IS NULL THEN ${ofUnknown("unknown", true)} WHEN r.state LIKE 'Failed/%' THEN ${ofUnknown("Failed/unknown", false)} ELSE ${ofUnknown("unknown", false)} END) END`;
