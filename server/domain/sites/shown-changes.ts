// Changes as shown to a second person: certificates by what identifies them, since nobody compares PEM (docs/adr/0112-policy-changes-by-two-people.md).
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import { isObject } from "@/server/domain/json";
import type { SiteChange } from "@/server/domain/sites/difference";
import { readAuthorities } from "@/server/domain/sites/read-authorities";

type Value = SiteChange["before"];

function formatCertificate(pem: string): string {
  const { certificates, faults } = readAuthorities(pem);
  return [
    ...certificates.map(
      ({ subject, sha256 }) =>
        `${subject === "" ? "a certificate without a subject" : subject}, SHA-256 ${formatFingerprint(sha256)}`,
    ),
    ...(faults.length === 0 ? [] : ["a certificate that cannot be read"]),
  ].join("; ");
}

function shown(value: Value): Value {
  if (typeof value === "string")
    return value.includes("-----BEGIN CERTIFICATE-----") ? formatCertificate(value) : value;
  if (Array.isArray(value)) return value.map(shown);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]))
    : value;
}

/** Pure. */
export const shownChange = (change: SiteChange): SiteChange => ({
  ...change,
  before: shown(change.before),
  after: shown(change.after),
});
