// How the newest boot of each host was measured, where one was asked for a quote.
import { sql } from "kysely";
import type { MeasuredMachine } from "@/server/contract/hosts/attestation";
import { queryRows } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export async function measuredMachines(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly MeasuredMachine[]>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  return done(
    await queryRows(
      database,
      sql<MeasuredMachine>`
      SELECT m.host_id::text AS "hostId", h.name AS "hostName", m.state FROM host_measurement m JOIN host h ON h.id = m.host_id ORDER BY h.name`,
    ),
  );
}
