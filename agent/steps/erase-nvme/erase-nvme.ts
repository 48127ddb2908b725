// The step `deploy.erase_nvme`: every NVMe controller of the host, with all namespaces (docs/design/sanitization.md#nvme).
import { deviceStep } from "@/agent/steps/device-step";
import { eraseDevices } from "@/agent/steps/erase-devices";
import { findNvmeDevices } from "@/agent/steps/erase-nvme/find-nvme-devices";

export const eraseNvme = deviceStep("erase_nvme", findNvmeDevices, eraseDevices);
