// A host's maintenance, read and locked.
import type { Transaction } from "@/server/db/prisma";
import type { Found } from "@/server/usecases/define-act";

interface Maintained {
  readonly hostId: string;
  readonly state: string;
  readonly maintenance: boolean;
  readonly reason: string | null;
  readonly by: string | null;
}

/** Locks the host's row, so that a failure that sets maintenance at the same time comes before or after, never between. */
export async function findMaintained(tx: Transaction, hostId: string): Promise<Found<Maintained> | null> {
  const [row] = await tx.$queryRaw<{ state: string; maintenance: boolean; maintenance_reason: string | null; maintenance_by: string | null }[]>`
    SELECT state, maintenance, maintenance_reason, maintenance_by FROM host_run WHERE host_id = ${hostId}::uuid FOR UPDATE`;
  if (row === undefined) return null;
  return { id: hostId, belongs: { tenantId: null }, value: { hostId, state: row.state, maintenance: row.maintenance, reason: row.maintenance_reason, by: row.maintenance_by } };
}
