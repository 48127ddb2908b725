// Has a host's health read from its BMC at once, at a person's request (docs/bmc-health.md#when). The process that reads health does it.
import { sql } from "kysely";
import { health as contract } from "@/server/contract/repair/health";
import type { Transaction } from "@/server/db/prisma";
import { restsSql } from "@/server/db/hot/fleet/bmc-health";
import { execute, queryRows } from "@/server/db/sql";
import { defineAct } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";

/** A BMC is asked no more often than this, whoever asks. */
const pauseSeconds = 60;

interface Found {
  readonly id: string;
  readonly name: string;
  /** Whether Reclaim knows how to ask its BMC. */
  readonly known: boolean;
  readonly wanted: boolean;
  /** Seconds until it may be asked again. */
  readonly pause: number;
  readonly rests: boolean;
}

async function find(tx: Transaction, hostId: string): Promise<Found | undefined> {
  const [found] = await queryRows(
    tx,
    sql<Found>`
    SELECT h.id::text, h.name, h.bmc_links IS NOT NULL AND h.hardware_type <> 'fake' AS known, b.wanted_at IS NOT NULL AS wanted,
      greatest(0, ceil(extract(epoch FROM greatest(b.tried_at, b.read_at) - now()) + ${pauseSeconds}::int))::int AS pause, ${sql.raw(restsSql)} AS rests
    FROM host h JOIN host_run r ON r.host_id = h.id LEFT JOIN bmc_health b ON b.host_id = h.id WHERE h.id = ${hostId}::uuid`,
  );
  return found;
}

export const readHealthNow = defineAct({
  ...contract.readNow,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const host = await find(tx, hostId);
    return host === undefined ? null : { id: host.id, belongs: { tenantId: null }, value: host };
  },
  run: async ({ tx, readsBmcHealth }, { id: hostId, name, known, wanted, pause, rests }) => {
    if (!readsBmcHealth)
      return refused(
        "notAllowedNow",
        "This installation reads no health from BMCs: RECLAIM_BMC_HEALTH_MS is 0.",
      );
    if (!known)
      return refused("notAllowedNow", `Reclaim does not know the BMC of ${name}. Inspect the host first.`);
    if (wanted)
      return refused(
        "notAllowedNow",
        `A reading of ${name} is requested already. It comes once the host rests.`,
      );
    if (pause > 0)
      return refused(
        "tooMany",
        `The BMC of ${name} was asked less than a minute ago. Try again in ${pause} s.`,
      );
    await execute(
      tx,
      sql`INSERT INTO bmc_health (host_id, wanted_at) VALUES (${hostId}::uuid, now()) ON CONFLICT (host_id) DO UPDATE SET wanted_at = now()`,
    );
    return done({
      value: { waits: !rests },
      changes: [{ targetId: hostId, tenantId: null, before: null, after: { requested: true } }],
    });
  },
});
