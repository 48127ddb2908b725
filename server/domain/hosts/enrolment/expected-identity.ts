// Compares the machine that a host was enrolled as with what its BMC reports (docs/adr/0050-enrolment.md).
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { isOwnUuid, sameUuid } from "@/server/domain/hosts/inventory/system-uuid";
import type { HostFacts } from "@/server/domain/hosts/record/host";

/**
 * The host's serial: the one the BMC reports, or, if it reports none, the one given by hand. If the BMC has reported a serial before,
 * a reading without one belongs to another machine.
 */
export function serialOf(
  { serial, expectedSerial }: Pick<HostFacts, "serial" | "expectedSerial">,
  found: string,
): string {
  // A host of 0.2.0 may be known by a placeholder, which is read as none.
  if (found.trim() === "" && serial !== null && isPlaceholderSerial(serial)) return serial;
  // safety: identity: a serial by hand is of a BMC that tells none (never)
  if (found.trim() !== "" || expectedSerial === null) return found;
  return serial === null || serial === expectedSerial ? expectedSerial : found;
}

/** Why the BMC is not the expected one; null: it is, or nothing was expected. */
export function unexpected(
  {
    expectedSerial: serial,
    expectedSystemUuid: systemUuid,
    confirmed,
  }: Pick<HostFacts, "confirmed" | "expectedSerial" | "expectedSystemUuid">,
  found: { readonly serial: string; readonly systemUuid: string },
): string | null {
  // safety: identity: the BMC is of the expected serial
  if (serial !== null && found.serial !== serial && !confirmed.serials.includes(found.serial))
    return `the BMC reports serial ${found.serial}, but serial ${serial} was expected`;
  // safety: identity: the BMC is of the expected system
  if (
    systemUuid !== null &&
    isOwnUuid(systemUuid) &&
    !sameUuid(systemUuid, found.systemUuid) &&
    !confirmed.systemUuids.some((uuid) => sameUuid(uuid, found.systemUuid))
  )
    return `the BMC reports system UUID ${found.systemUuid}, but system UUID ${systemUuid} was expected`;
  return null;
}

/** How the host's known identity differs from the expected one; null: it does not, or nothing is known yet. A server of an earlier release stores it uncompared. */
export function learnedUnexpected(host: HostFacts): string | null {
  const { serial, systemUuid } = host;
  return serial === null || systemUuid === null
    ? null
    : unexpected(host, { serial, systemUuid: systemUuid.toLowerCase() });
}
