// What decides whether a host's BMC may be restarted: the host, and every other host that its BMC serves.
import { sql } from "kysely";
import { isAtItsAddress } from "@/server/db/hot/hardware/neighbours";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { bmcResetRefusal } from "@/server/domain/hardware/bmc-reset";
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import { factsColumns, factsFrom, toHostFacts, type FactsRow } from "@/server/usecases/hosts/host-facts";

interface Row extends FactsRow {
  readonly is_target: boolean;
  readonly known: boolean;
  readonly has_job: boolean;
  readonly is_open: boolean;
  readonly is_busy: boolean;
}

export interface ResetFacts {
  readonly name: string;
  readonly tenantId: string | null;
  /** Address, user and password are known. */
  readonly known: boolean;
  /** A restart of this BMC is in progress that was asked for at this host. */
  readonly isOpen: boolean;
  /** The other host at which one was asked for that is in progress; null: none was. */
  readonly openAt: string | null;
  /** Why it may not be restarted now, in words; null: it may. */
  readonly refusal: string | null;
  /** A controller works on one of its hosts at this moment. */
  readonly isBusy: boolean;
}

const refusalOf = (row: Row): string | null => {
  const facts = toHostFacts(row);
  const reason = bmcResetRefusal(facts, { hasJob: row.has_job, pending: facts.pending });
  return reason === null || row.is_target ? reason : `its BMC also serves ${row.name}: ${reason}`;
};

/** Null: there is no such host. */
export async function readResetFacts(reader: SqlReader, hostId: string): Promise<ResetFacts | null> {
  const rows = await queryRows(
    reader,
    sql<Row>`
    SELECT ${factsColumns}, r.host_id = ${hostId}::uuid AS is_target,
      o.hardware_type <> ${fakeHardwareType} AND o.bmc_address IS NOT NULL AND o.bmc_username IS NOT NULL AND o.bmc_password IS NOT NULL AS known,
      (r.context #>> '{cleaning,job}') IS NOT NULL AS has_job,
      EXISTS (SELECT 1 FROM bmc_reset b WHERE b.host_id = r.host_id AND b.ended_at IS NULL) AS is_open,
      (r.lease_owner IS NOT NULL AND r.lease_until >= now()) OR (r.context #>> '{power}') IS NOT NULL
        OR EXISTS (SELECT 1 FROM effect e WHERE e.host_id = r.host_id AND e.read_at IS NULL) AS is_busy
    FROM ${factsFrom} JOIN host o ON o.id = r.host_id JOIN host h ON h.id = ${hostId}::uuid
    WHERE o.id = h.id OR ${sql.raw(isAtItsAddress)} ORDER BY o.name`,
  );
  const target = rows.find((row) => row.is_target);
  if (target === undefined) return null;
  const refusals = rows.flatMap((row) => refusalOf(row) ?? []);
  return {
    name: target.name,
    tenantId: target.tenant_id,
    known: target.known,
    isOpen: target.is_open,
    openAt: rows.find((row) => row.is_open && !row.is_target)?.name ?? null,
    refusal: refusalOf(target) ?? refusals[0] ?? null,
    isBusy: rows.some((row) => row.is_busy),
  };
}
