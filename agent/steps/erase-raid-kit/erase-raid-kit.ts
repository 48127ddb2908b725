// The step `deploy.erase_raid_kit`: both drives of every Lenovo M.2 NVMe 2-Bay RAID Kit (docs/design/sanitization.md#raid-kit).
import { deviceStep } from "@/agent/steps/device-step";
import { eraseDevices } from "@/agent/steps/erase-devices";
import { findKitDevices } from "@/agent/steps/erase-raid-kit/find-kit-devices";

export const eraseRaidKit = deviceStep("erase_raid_kit", findKitDevices, eraseDevices);
