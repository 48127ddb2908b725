// What decides on the lease of a host, read with its row locked, so that a claim, a controller's work or another take comes before or after, never between.
import { sql } from "kysely";
import type { Transaction } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { atWork, readActing } from "@/server/domain/repair/health/acting";
import { storedState } from "@/server/domain/lifecycle/states";
import type { LeaseFacts } from "@/server/domain/repair/leases/lease";
import { eraseColumn, leasedColumn, toEraseFacts } from "@/server/usecases/hosts/host-facts";
import { lockRun } from "@/server/usecases/hosts/lock-run";

export interface LeasedHost {
  readonly id: string;
  readonly name: string;
  readonly siteId: string;
  readonly labels: unknown;
  /** The boot server makes a network boot of this host wait. */
  readonly bootHeld: boolean;
  readonly facts: LeaseFacts;
  /** The open lease. */
  readonly leaseId: string | null;
  readonly systemId: string | null;
}

interface Row {
  readonly name: string;
  readonly site_id: string;
  readonly labels: unknown;
  readonly boot_held: boolean;
  readonly state: string;
  readonly leased_to: string | null;
  readonly lease_id: string | null;
  readonly system_id: string | null;
  readonly instance_open: boolean;
  readonly machine: boolean;
  readonly maintenance: boolean;
  readonly allocatable: boolean;
  readonly health: unknown;
  readonly erase: unknown;
  readonly busy: boolean;
  readonly owes: boolean;
}

/** Null if there is no such host. */
export async function readLeasedHost(reader: SqlReader, hostId: string): Promise<LeasedHost | null> {
  const [row] = await queryRows(
    reader,
    sql<Row>`
    SELECT h.name, h.site_id::text, h.labels, r.boot_held, r.state, ${leasedColumn}, r.outside_lease::text AS lease_id,
      (SELECT l.system_id::text FROM repair_lease l WHERE l.id = r.outside_lease) AS system_id,
      EXISTS (SELECT 1 FROM instance i WHERE i.host_id = r.host_id AND i.ended_at IS NULL) AS instance_open,
      h.hardware_type <> 'fake' AS machine, r.maintenance, r.allocatable, r.health, ${eraseColumn},
      (r.outside_lease IS NULL AND r.lease_owner IS NOT NULL AND r.lease_until > clock_timestamp()
        OR EXISTS (SELECT 1 FROM signal g WHERE g.host_id = r.host_id) -- safety: custody: what was asked for is read first
        OR coalesce(r.context -> 'power', 'null'::jsonb) <> 'null'::jsonb -- safety: custody: power that is followed up ends first
      ) AS busy,
      EXISTS (SELECT 1 FROM debt d WHERE d.chassis_serial = h.serial AND d.cleared_at IS NULL) AS owes
    FROM host_run r JOIN host h ON h.id = r.host_id WHERE r.host_id = ${hostId}::uuid`,
  );
  if (row === undefined) return null;
  return {
    id: hostId,
    name: row.name,
    siteId: row.site_id,
    labels: row.labels,
    bootHeld: row.boot_held,
    leaseId: row.lease_id,
    systemId: row.system_id,
    facts: {
      state: storedState(row.state),
      leasedTo: row.leased_to,
      instanceOpen: row.instance_open,
      machine: row.machine,
      maintenance: row.maintenance,
      allocatable: row.allocatable,
      atWork: atWork(readActing(row.health)) !== null,
      erasing: toEraseFacts(row.erase).erasing,
      busy: row.busy,
      owes: row.owes,
    },
  };
}

/** Takes the lock in a statement of its own: a statement that waited for the lock would read the state from before. */
export async function lockLease(tx: Transaction, hostId: string): Promise<LeasedHost | null> {
  await lockRun(tx, hostId);
  return readLeasedHost(tx, hostId);
}
