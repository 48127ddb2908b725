// The step `deploy.erase_disks`: every SATA and SAS disk of the host (docs/design/sanitization.md#sata-and-sas).
import { deviceStep } from "@/agent/steps/device-step";
import { eraseDevices } from "@/agent/steps/erase-devices";
import { findDisks } from "@/agent/steps/erase-disks/find-disks";

export const eraseDisks = deviceStep("erase_disks", findDisks, eraseDevices);
