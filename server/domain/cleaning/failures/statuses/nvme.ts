// NVMe completion statuses in words (NVM Express Base Specification 2.0, section 3.3.3.2.1; NVM Command Set Specification; sanitize log page 81h).

/** By status code type, then status code. */
const completions: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  // Generic command status.
  0x0: {
    0x00: "the command completed",
    0x01: "its firmware does not know this command (Invalid Command Opcode)",
    0x02: "it does not accept a field of the command (Invalid Field in Command)",
    0x03: "the command's id was in use",
    0x04: "the transfer to or from the drive failed",
    0x05: "the command was aborted because the drive is losing power",
    0x06: "the drive has an internal error",
    0x07: "the host aborted the command",
    0x08: "the command was aborted because its queue was deleted",
    0x09: "the preceding fused command failed",
    0x0a: "the second of two fused commands was missing",
    0x0b: "the namespace does not exist or its format does not fit the command",
    0x0c: "the commands came in the wrong order",
    0x0d: "a segment descriptor of the transfer is invalid",
    0x0e: "the number of segment descriptors is invalid",
    0x0f: "the length of the data is invalid",
    0x10: "the length of the metadata is invalid",
    0x11: "the type of a segment descriptor is invalid",
    0x12: "the use of the controller's memory buffer is invalid",
    0x13: "an address of the transfer is invalid",
    0x14: "the command is larger than the drive's atomic write unit",
    0x15: "the operation is denied by the drive's access rights",
    0x16: "an offset of the transfer is invalid",
    0x18: "the host identifier has an inconsistent format",
    0x19: "the keep-alive timer expired",
    0x1a: "the keep-alive timeout is invalid",
    0x1b: "the command was aborted because another host preempted the reservation",
    0x1c: "the last sanitize failed: the drive accepts nothing but a sanitize that completes",
    0x1d: "another sanitize is in progress",
    0x1e: "the granularity of the data block is invalid",
    0x1f: "the command is not allowed for a queue in the controller's memory",
    0x20: "the namespace is write protected",
    0x21: "the command was interrupted; the drive asks for a retry",
    0x22: "a transient transport error occurred",
    0x23: "the command is prohibited by the drive's command and feature lockdown",
    0x24: "the drive's medium is not ready",
    0x80: "the block address is out of range",
    0x81: "the capacity of the namespace is exceeded",
    0x82: "the namespace is not ready",
    0x83: "another host holds a reservation on the namespace",
    0x84: "another format is in progress",
    0x85: "the value size is invalid",
    0x86: "the key size is invalid",
    0x87: "the key does not exist",
    0x88: "an unrecovered error occurred",
    0x89: "the key exists already",
  },
  // Command specific status.
  0x1: {
    0x00: "the completion queue is invalid",
    0x01: "the queue identifier is invalid",
    0x02: "the queue size is invalid",
    0x03: "the limit of aborts is exceeded",
    0x05: "the limit of outstanding event requests is exceeded",
    0x06: "the firmware slot is invalid",
    0x07: "the firmware image is invalid",
    0x08: "the interrupt vector is invalid",
    0x09: "the log page does not exist",
    0x0a: "the format is invalid: the drive does not offer it with these settings",
    0x0b: "the new firmware needs a reset of the host",
    0x0c: "the queue cannot be deleted",
    0x0d: "the feature cannot be saved",
    0x0e: "the feature cannot be changed",
    0x0f: "the feature does not belong to a namespace",
    0x10: "the new firmware needs a reset of the NVM subsystem",
    0x11: "the new firmware needs a controller reset",
    0x12: "the new firmware would take longer than allowed",
    0x13: "the drive prohibits activating this firmware",
    0x14: "the firmware image overlaps another",
    0x15: "the drive has too little capacity left for the namespace",
    0x16: "no namespace identifier is free",
    0x18: "the namespace is attached already",
    0x19: "the namespace is private to another controller",
    0x1a: "the namespace is not attached",
    0x1b: "the drive does not support thin provisioning",
    0x1c: "the list of controllers is invalid",
    0x1d: "a self-test of the drive is in progress",
    0x1e: "the boot partition is write protected",
    0x1f: "the controller identifier is invalid",
    0x20: "the secondary controller is in an invalid state",
    0x21: "the number of controller resources is invalid",
    0x22: "the resource identifier is invalid",
    0x23: "sanitize is prohibited while the persistent memory region is enabled",
    0x24: "the ANA group identifier is invalid",
    0x25: "attaching to the ANA group failed",
    0x26: "the drive has too little capacity",
    0x27: "the limit of attached namespaces is exceeded",
    0x28: "prohibiting the command is not supported",
    0x80: "the attributes of the command conflict",
    0x81: "the protection information is invalid",
    0x82: "the range is read-only",
    0x83: "the size limit of the command is exceeded",
  },
  // Media and data integrity errors.
  0x2: {
    0x80: "its medium could not be written",
    0x81: "its medium could not be read (Unrecovered Read Error)",
    0x82: "a guard check failed: data and checksum differ",
    0x83: "an application tag check failed",
    0x84: "a reference tag check failed",
    0x85: "a compare failed",
    0x86: "access is denied: the range is locked by the drive's own encryption",
    0x87: "the block is deallocated or was never written",
    0x88: "a storage tag check failed",
  },
  // Path related status.
  0x3: {
    0x00: "an error on the path to the drive",
    0x01: "the path to the drive is persistently inaccessible",
    0x02: "the path to the drive is inaccessible",
    0x03: "the path to the drive is changing",
    0x60: "the controller has an error on its path",
    0x70: "the host has an error on its path",
    0x71: "the host aborted the command",
  },
};

/** What a completion status means; null: not in the table. */
export const nvmeMeaning = (sct: number, sc: number): string | null =>
  completions[sct]?.[sc] ?? (sct === 7 ? "a vendor-specific status" : null);

const sanitizes = [
  "it has never been sanitized",
  "its last sanitize completed",
  "a sanitize is in progress",
  "its sanitize failed",
  "its last sanitize completed; the blocks were not deallocated as requested",
] as const;

/** Sanitize State of SSI, where SSTAT says that a sanitize is in progress (NVM Express Base Specification 2.1). */
const sanitizeStates: Readonly<Record<number, string>> = {
  5: "its sanitize finished erasing, but the drive is still in the media verification state",
  6: "its sanitize finished erasing, and the drive is still deallocating its media",
};

/** What the low three bits of SSTAT mean, with SSI where the drive has it; null: reserved. */
export const sanitizeMeaning = (sstat: number, sans = 0): string | null =>
  (sstat === 2 ? sanitizeStates[sans] : undefined) ?? sanitizes[sstat] ?? null;
