// What a certificate says of one device: the fields that NIST SP 800-88 Rev. 2 asks for, per drive (docs/assurance/certificates.md).
import { z } from "zod";
import { digest, maybe, moment, text } from "@/server/domain/certificates/fields";

/** One command that was sent, and the device's own answer. */
const commandSent = z
  .strictObject({
    technique: text,
    command: text,
    startedAt: text,
    endedAt: text,
    status: text,
    completed: z.boolean(),
  })
  .readonly();

/** `sanitized`: a verified result. `stated`: a person stated what became of it. `not sanitized`: neither. */
export const deviceOutcomes = ["sanitized", "stated", "not sanitized"] as const;

export const deviceEntry = z
  .strictObject({
    serial: text,
    model: text,
    /** As the BMC or the agent told; null: neither did. */
    manufacturer: maybe,
    media: maybe,
    capacityBytes: maybe,
    slot: maybe,
    firmware: maybe,
    /** Who knew of it. */
    knownBy: z.array(text).max(10_000).readonly(),
    result: z.enum(deviceOutcomes),
    /** Of SP 800-88: `clear` or `purge`; null: none was reached. */
    method: maybe,
    technique: maybe,
    /** By which the method was judged, and the version of our table of techniques. */
    standard: maybe,
    techniqueTable: z.int().nullable(),
    tool: z.strictObject({ name: text, version: text }).readonly().nullable(),
    commands: z.array(commandSent).max(10_000).readonly(),
    verification: z
      .strictObject({
        kind: text,
        samples: z.int(),
        bytes: text,
        mismatches: z.int(),
        result: text,
      })
      .readonly()
      .nullable(),
    /** Of the agent's whole report, in canonical JSON. */
    reportSha256: digest.nullable(),
    at: moment,
    /** In words. */
    reason: text,
  })
  .readonly();
export type DeviceEntry = z.infer<typeof deviceEntry>;

/** Of statements before form 3, which did not record who made a drive. */
export const earlierDeviceEntry = deviceEntry.unwrap().omit({ manufacturer: true }).readonly();

/** Who made a drive; null: not recorded. */
export const makerOf = (device: {
  readonly serial: string;
  readonly manufacturer?: string | null;
}): string | null => device.manufacturer ?? null;
