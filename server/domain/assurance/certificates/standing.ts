// The standing that the records of a reclamation support, for its certificate and for the column `reclamation.standing`.
import { standingOf, storedStanding, worseOf } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import type { CertificateRecords } from "@/server/domain/assurance/certificates/records";
import type { Statement } from "@/server/domain/assurance/certificates/statement";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { readStoredSku } from "@/server/domain/hosts/inventory/sku";

/** How many drives the host's SKU has; null: it has no SKU, or an unreadable one. */
export function skuDrivesOf({ skuComponents }: CertificateRecords["host"]): number | null {
  if (skuComponents === null || skuComponents === undefined) return null;
  const sku = readStoredSku(skuComponents);
  return sku.ok ? sku.components.storage.reduce((sum, { count }) => sum + count, 0) : null;
}

/** What a recheck that cleaned nothing rests on; null: it cleaned by itself. */
export const restsOnOf = ({
  cleanedNothing,
  restsOn,
}: CertificateRecords["reclamation"]): {
  readonly number: string | null;
  readonly standing: Standing | null;
} | null =>
  cleanedNothing
    ? { number: restsOn?.number ?? null, standing: storedStanding(restsOn?.standing ?? null) }
    : null;

type Stated = Pick<Statement["predicate"], "gates" | "devices" | "missing">;

/** Never better than what was recorded at its end, which may have been under stricter rules. Pure. */
export function standingOfRecords(
  { host, reclamation }: CertificateRecords,
  { gates, devices, missing }: Stated,
  outcome: string,
): Standing {
  const { kind, standing } = reclamation;
  const computed = standingOf({
    ...{ kind, outcome, gates, fake: isFake(host) },
    drives: devices.map(({ result }) => result),
    missing: missing.length,
    skuHasDrives: skuDrivesOf(host) !== 0,
    restsOn: restsOnOf(reclamation)?.standing,
  });
  return worseOf(computed, storedStanding(standing) ?? computed);
}
