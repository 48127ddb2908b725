// Which machine a host was enrolled as, against what its BMC says (docs/adr/0050-enrolment.md).
import type { HostFacts } from "@/server/domain/host-record/host";

/**
 * The serial that counts: what the BMC says, or, of one that says none, what somebody gave by hand. Of a host whose BMC once said its serial
 * itself a reading without one is another machine's.
 */
export function serialOf(
  { serial, expectedSerial }: Pick<HostFacts, "serial" | "expectedSerial">,
  found: string,
): string {
  // safety: identity: a serial by hand is of a BMC that tells none (never)
  if (found.trim() !== "" || expectedSerial === null) return found;
  return serial === null || serial === expectedSerial ? expectedSerial : found;
}

/** Why the BMC is not the one that somebody said it must be; null: it is, or nobody said. */
export function unexpected(
  { expectedSerial: serial, expectedSystemUuid: systemUuid }: HostFacts,
  found: { readonly serial: string; readonly systemUuid: string },
): string | null {
  // safety: identity: the BMC is of the expected serial
  if (serial !== null && found.serial !== serial)
    return `the BMC reports serial ${found.serial}, but serial ${serial} was expected`;
  // safety: identity: the BMC is of the expected system
  if (systemUuid !== null && found.systemUuid !== systemUuid.toLowerCase())
    return `the BMC reports system UUID ${found.systemUuid}, but system UUID ${systemUuid} was expected`;
  return null;
}

/** Why what was learned of a host is another than was expected; null: it is not, or nothing was learned yet. A server of an earlier release learns without comparing. */
export function learnedUnexpected(host: HostFacts): string | null {
  const { serial, systemUuid } = host;
  return serial === null || systemUuid === null
    ? null
    : unexpected(host, { serial, systemUuid: systemUuid.toLowerCase() });
}
