// The projections as a table that a query can join, so that the database can filter, sort and page by a status whose rule is in the domain alone.
import { sql } from "kysely";
import { nicoInstanceStatus, nicoMachineStatus } from "@/server/domain/lifecycle/projections";
import { allStates } from "@/server/domain/lifecycle/states";

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

/** Columns `state, maintenance, allocatable, status`. */
export const machineStatuses = sql`jsonb_to_recordset(${JSON.stringify(machineRows)}::jsonb) AS p (state text, maintenance boolean, allocatable boolean, status text)`;

/** Columns `state, released, status`. Online repair belongs to a later version: nothing sets it. */
export const instanceStatuses = sql`jsonb_to_recordset(${JSON.stringify(instanceRows)}::jsonb) AS p (state text, released boolean, status text)`;
