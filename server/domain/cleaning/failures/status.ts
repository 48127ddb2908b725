// A device's answer as coded by its standard, stored next to the verbatim text, so that nothing has to be parsed out of text.
import { z } from "zod";

const byte = z.int().min(0).max(255);

/** Each bus has its own codes. Codes that a tool did not report are left out; a device without codes has text only. */
export const deviceStatus = z.discriminatedUnion("bus", [
  /** Completion of an NVMe command: status code type and status code. */
  z.object({ bus: z.literal("nvme"), sct: z.int().min(0).max(7), sc: byte }),
  /** Low three bits of SSTAT in the sanitize log, and the low four of SSI where it is not 0. */
  z.object({
    bus: z.literal("nvmeSanitize"),
    sstat: z.int().min(0).max(7),
    sans: z.int().min(0).max(15).exactOptional(),
  }),
  /** ATA status and error registers. */
  z.object({ bus: z.literal("ata"), status: byte, error: byte }),
  z.object({ bus: z.literal("scsi"), key: z.int().min(0).max(15), asc: byte, ascq: byte }),
  /** HTTP status of a BMC's answer, and its message ids such as `Base.1.12.ActionNotSupported`; null: it gave no answer. */
  z.object({
    bus: z.literal("redfish"),
    http: z.int().nullable(),
    messageIds: z.array(z.string().max(256)).max(16),
  }),
]);
export type DeviceStatus = z.infer<typeof deviceStatus>;
