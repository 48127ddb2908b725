// The step `deploy.erase_devices`: all erase steps in one, for all drives (the name that Ironic's users send).
import { findAllDevices } from "@/agent/steps/erase-all/all-devices";
import { deviceStep } from "@/agent/steps/device-step";
import { eraseDevices } from "@/agent/steps/erase-devices";

export const eraseAllDevices = deviceStep("erase_devices", findAllDevices, eraseDevices);
