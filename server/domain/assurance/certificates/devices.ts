// A certificate's entry for each drive: its result, its disposition, or that there is neither.
import { z } from "zod";
import { canonicalDigest } from "@/server/domain/assurance/certificates/digest";
import { storedReport } from "@/server/domain/assurance/certificates/records";
import type { CertificateRecords, deviceList } from "@/server/domain/assurance/certificates/records";
import type { DeviceEntry } from "@/server/domain/assurance/certificates/device-entry";
import { neverCounts, techniques } from "@/server/domain/cleaning/sanitization/techniques";

type KnownDevice = z.infer<typeof deviceList>["expected"][number];

const of = <T>(value: T | undefined): T | null => value ?? null;

const known = z.enum(techniques);

/** Why an erase whose result is `sanitized` does not count; null: it does. An earlier release may have counted a technique that never counts. */
function whyNot(technique: string | null, doubt: string | null): string | null {
  const by = known.safeParse(technique).data;
  // safety: certificate: a stored result by what never counts
  if (by !== undefined && neverCounts(by)) return `erased by ${by}, which never counts`;
  return doubt;
}

function resultEntry(
  device: KnownDevice,
  result: CertificateRecords["results"][number],
  doubt: string | null,
): DeviceEntry {
  const report = storedReport.safeParse(result.report).data;
  const verified = report?.verification;
  const against = result.verdict === "sanitized" ? whyNot(result.technique, doubt) : null;
  const sanitized = result.verdict === "sanitized" && against === null;
  return {
    serial: device.serial,
    model: device.model,
    manufacturer: device.manufacturer ?? null,
    media: device.media ?? result.media,
    capacityBytes: of(device.capacityBytes),
    slot: device.slot ?? null,
    firmware: device.firmware ?? report?.firmware ?? null,
    knownBy: device.sources ?? [],
    result: sanitized ? "sanitized" : "not sanitized",
    method: sanitized ? result.level : null,
    technique: result.technique,
    standard: result.standard,
    techniqueTable: result.techniqueTable,
    tool: report === undefined ? null : { name: report.tool.name, version: report.tool.version },
    commands: (report?.tries ?? []).map(({ technique, command, startedAt, endedAt, status, completed }) => ({
      technique,
      command,
      startedAt,
      endedAt,
      status,
      completed,
    })),
    verification:
      verified === undefined
        ? null
        : {
            kind: verified.kind,
            samples: verified.samples,
            bytes: verified.bytes,
            mismatches: verified.mismatches,
            result: verified.result,
          },
    reportSha256: canonicalDigest(result.report),
    at: result.at,
    reason: against ?? result.reason,
  };
}

const untreated = (device: KnownDevice, reason: string): DeviceEntry => ({
  serial: device.serial,
  model: device.model,
  manufacturer: device.manufacturer ?? null,
  media: of(device.media),
  capacityBytes: of(device.capacityBytes),
  slot: device.slot ?? null,
  firmware: device.firmware ?? null,
  knownBy: device.sources ?? [],
  result: "not sanitized",
  method: null,
  technique: null,
  standard: null,
  techniqueTable: null,
  tool: null,
  commands: [],
  verification: null,
  reportSha256: null,
  at: null,
  reason,
});

/**
 * An entry for each drive of the frozen list, sorted by serial number.
 * @param doubt why no erase of this reclamation counts; null: verified ones do
 */
export function deviceEntries(
  list: z.infer<typeof deviceList>,
  { results }: CertificateRecords,
  doubt: string | null,
): readonly DeviceEntry[] {
  const treated = list.expected.map((device) => {
    const result = results.find(({ serial, model }) => serial === device.serial && model === device.model);
    return result === undefined
      ? untreated(device, "no result is on record")
      : resultEntry(device, result, doubt);
  });
  const stated = list.answered.map(({ serial, model, disposition: { kind, reason, by } }) => ({
    ...untreated({ serial, model }, `${kind}, stated by ${by}: ${reason}`),
    result: "stated" as const,
  }));
  return [...treated, ...stated].sort((a, b) => (a.serial < b.serial ? -1 : 1));
}
