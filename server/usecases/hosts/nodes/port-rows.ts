// Ports as the acts on them find them, and their hosts' MACs, by which the boot server recognizes a host.
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import type { Transaction } from "@/server/db/prisma";
import type { Target } from "@/server/usecases/define-act";
import type { PortFields } from "@/server/domain/hosts/nodes/node-values";
import { isUniqueViolation } from "@/server/db/transaction";
import { done, refused, type Outcome, type Problem } from "@/server/usecases/problem";

export interface LockedPort {
  readonly hostId: string;
  readonly address: string;
  readonly updatedMs: number | null;
}

export async function lockPort(tx: Transaction, portId: string): Promise<Target<LockedPort> | null> {
  const [row] = await queryRows(
    tx,
    sql<{ host_id: string; address: string; updated_at: Date | null }>`
    SELECT q.host_id::text, q.address, q.updated_at FROM host h JOIN node_port q ON q.host_id = h.id WHERE q.id = ${portId}::uuid FOR NO KEY UPDATE`,
  );
  return row === undefined
    ? null
    : {
        id: portId,
        belongs: { tenantId: null },
        value: { hostId: row.host_id, address: row.address, updatedMs: row.updated_at?.getTime() ?? null },
      };
}

/** The unique values of a port that are already taken. Checked before the write, because a failed statement aborts the transaction. */
export async function takenPort(
  tx: Transaction,
  { id, address, name }: { readonly id: string | null } & Pick<PortFields, "address" | "name">,
): Promise<Problem | null> {
  const found = await tx.nodePort.findFirst({
    where: {
      OR: [{ address }, ...(name === null ? [] : [{ name }])],
      ...(id === null ? {} : { id: { not: id } }),
    },
    select: { address: true },
  });
  if (found === null) return null;
  return found.address === address
    ? { code: "conflict", field: "address", detail: `A port with MAC address ${address} already exists.` }
    : { code: "conflict", field: "name", detail: `A port with name ${name} already exists.` };
}

/** Writes a port. `conflict` if another one took the address meanwhile. */
export async function writePort(address: string, write: () => Promise<unknown>): Promise<Outcome<void>> {
  try {
    await write();
    return done(undefined);
  } catch (error) {
    if (isUniqueViolation(error))
      return refused(
        "conflict",
        `A port with MAC address ${address} was created at the same time.`,
        "address",
      );
    throw error;
  }
}

/** Removes one MAC from a host and adds another; null for none. */
export const changeMac = (
  tx: Transaction,
  hostId: string,
  from: string | null,
  to: string | null,
): Promise<number> =>
  execute(
    tx,
    sql`UPDATE host SET macs = (SELECT coalesce(array_agg(DISTINCT m), '{}') FROM unnest(array_remove(macs, ${from}) || ARRAY[${to}]::text[]) m WHERE m IS NOT NULL) WHERE id = ${hostId}::uuid`,
  );
