// What a device's status means, as a phrase that follows a colon. A status that is not in a table is shown as it is.
import type { DeviceStatus } from "@/server/domain/cleaning/failures/status";
import { ataMeaning } from "@/server/domain/cleaning/failures/statuses/ata";
import { nvmeMeaning, sanitizeMeaning } from "@/server/domain/cleaning/failures/statuses/nvme";
import { redfishMeaning } from "@/server/domain/cleaning/failures/statuses/redfish";
import { scsiMeaning } from "@/server/domain/cleaning/failures/statuses/scsi";

const hex = (value: number): string => `${value.toString(16).toUpperCase().padStart(2, "0")}h`;

/** In the notation of the standard: `SC 01h`, `sense 5/20/00`, `ActionNotSupported`. */
export function statusCode(status: DeviceStatus): string {
  switch (status.bus) {
    case "nvme":
      return `NVMe status type ${status.sct}h, code ${hex(status.sc)}`;
    case "nvmeSanitize":
      return `NVMe sanitize status ${status.sstat}h`;
    case "ata":
      return `ATA status ${hex(status.status)}, error ${hex(status.error)}`;
    case "scsi":
      return `SCSI sense ${status.key.toString(16).toUpperCase()}/${hex(status.asc)}/${hex(status.ascq)}`;
    case "redfish":
      return status.http === null
        ? "no answer"
        : [`HTTP ${status.http}`, ...status.messageIds.slice(0, 1)].join(", ");
  }
}

/** Null: not in the tables. Pure. */
export function meaningOf(status: DeviceStatus): string | null {
  switch (status.bus) {
    case "nvme":
      return nvmeMeaning(status.sct, status.sc);
    case "nvmeSanitize":
      return sanitizeMeaning(status.sstat, status.sans);
    case "ata":
      return ataMeaning(status.status, status.error);
    case "scsi":
      return scsiMeaning(status.key, status.asc, status.ascq);
    case "redfish":
      return redfishMeaning(status.http, status.messageIds);
  }
}
