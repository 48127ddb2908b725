// A controller's answer to a command that it refuses, in the words of nvme-cli 2.3.
import type { ProgramAnswer } from "@/agent/tools/machine/testing/drives/drive";

const statuses = {
  opcode:
    "Invalid Command Opcode: A reserved coded value or an unsupported value in the command opcode field(0x4001)",
  field:
    "Invalid Field in Command: A reserved coded value or an unsupported value in a defined field(0x4002)",
  namespace: "Invalid Namespace or Format: The namespace or the format of that namespace is invalid(0x400b)",
  failed:
    "Sanitize Failed: The most recent sanitize operation failed and no recovery actions has been successfully completed(0x401c)",
  inProgress:
    "Sanitize In Progress: The requested function is prohibited while a sanitize operation is in progress(0x401d)",
  writeProtected:
    "Namespace is Write Protected: The command is prohibited while the namespace is write protected(0x4020)",
} as const;

export const refuse = (status: keyof typeof statuses): ProgramAnswer => ({
  exitCode: 1,
  stderr: `NVMe status: ${statuses[status]}\n`,
});
