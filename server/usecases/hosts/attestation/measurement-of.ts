// How a host's newest boot was measured, compared with the bundle that it is closest to.
import { sql } from "kysely";
import type { HostAttestationView } from "@/server/contract/hosts/attestation";
import type { Database } from "@/server/db/prisma";
import {
  bundleStanding,
  closestTo,
  differencesFrom,
  orderedValues,
  valuesDigest,
} from "@/server/domain/attestation/bundle";
import { readEventLog } from "@/server/domain/attestation/measured/event-log";
import { bundleStates, measurementStates, pcrValues } from "@/server/domain/attestation/measurement";
import type { PcrValues } from "@/server/domain/attestation/measurement";
import { TpmFault } from "@/server/domain/attestation/tpm/reader";
import { readBundles } from "@/server/usecases/hosts/attestation/bundle-rows";
import type { StoredBundle } from "@/server/usecases/hosts/attestation/bundle-rows";

type Measurement = NonNullable<HostAttestationView["measurement"]>;

const named = ({ id, name, state }: StoredBundle) => ({ id, name, state });

/** Null: there is none, or it was stored although it cannot be read. */
function eventsOf(log: Uint8Array | null): Measurement["events"] {
  if (log === null) return null;
  try {
    return [...readEventLog(log)];
  } catch (error) {
    if (error instanceof TpmFault) return null;
    throw error;
  }
}

function closest(bundles: readonly StoredBundle[], values: PcrValues): Measurement["closest"] {
  const counting = bundles.filter((bundle) => {
    const standing = bundleStanding(bundle.state, bundle);
    return standing === "Active" || standing === "Obsolete";
  });
  const found = closestTo(counting, values);
  return found === null
    ? null
    : { bundle: named(found), differences: [...differencesFrom(found.values, values)] };
}

/** Null: no boot of the host was asked for a quote. */
export async function measurementOf(database: Database, hostId: string): Promise<Measurement | null> {
  const row = await database.hostMeasurement.findUnique({
    where: { hostId },
    include: { host: { select: { siteId: true, manufacturer: true, model: true } }, bundle: true },
  });
  if (row === null) return null;
  const values = row.measuredAt === null ? null : pcrValues.parse(row.pcrs);
  const { siteId, manufacturer, model } = row.host;
  const bundles =
    values === null
      ? []
      : await readBundles(
          database,
          sql`b.site_id = ${siteId}::uuid AND b.manufacturer = ${manufacturer ?? ""} AND b.model = ${model ?? ""}`,
        );
  const { bundle } = row;
  return {
    // What another release stored and this one does not know passes for nothing.
    state: measurementStates.find((state) => state === row.state) ?? "Discovered",
    bootEpoch: row.bootEpoch,
    askedAt: row.askedAt,
    measuredAt: row.measuredAt,
    problem: row.problem,
    bundle:
      bundle === null
        ? null
        : {
            id: bundle.id,
            name: bundle.name,
            state: bundleStates.find((state) => state === bundle.state) ?? "Revoked",
          },
    digest: values === null ? null : valuesDigest(values),
    values: values === null ? [] : [...orderedValues(values)],
    closest: values === null ? null : closest(bundles, values),
    events: eventsOf(row.eventLog),
  };
}
