// A certificate's entry for one device, with the fields that NIST SP 800-88 Rev. 2 requires per drive (docs/assurance/certificates.md).
import { z } from "zod";
import { digest, maybe, moment, text } from "@/server/domain/assurance/certificates/fields";

/** A command that was sent, and the device's answer. */
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

/** `sanitized`: a verified result. `stated`: a disposition, in which a person states what became of it. `not sanitized`: neither. */
export const deviceOutcomes = ["sanitized", "stated", "not sanitized"] as const;

export const deviceEntry = z
  .strictObject({
    serial: text,
    model: text,
    /** As reported by the BMC or the agent; null: by neither. */
    manufacturer: maybe,
    media: maybe,
    capacityBytes: maybe,
    slot: maybe,
    firmware: maybe,
    /** The sources that knew of it. */
    knownBy: z.array(text).max(10_000).readonly(),
    result: z.enum(deviceOutcomes),
    /** The level of SP 800-88: `clear` or `purge`; null: none was reached. */
    method: maybe,
    technique: maybe,
    /** What the method was judged by, with the version of our table of techniques. */
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
    /** Of the agent's complete report, in canonical JSON. */
    reportSha256: digest.nullable(),
    at: moment,
    /** As text. */
    reason: text,
  })
  .readonly();
export type DeviceEntry = z.infer<typeof deviceEntry>;

/** For statements before form 3, which did not record the manufacturer. */
export const earlierDeviceEntry = deviceEntry.unwrap().omit({ manufacturer: true }).readonly();

/** A drive's manufacturer; null: not recorded. */
export const makerOf = (device: {
  readonly serial: string;
  readonly manufacturer?: string | null;
}): string | null => device.manufacturer ?? null;
