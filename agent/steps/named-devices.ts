// Of the devices that a boot shows, those that can be erased.
import { isNamed, type StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Outcome } from "@/agent/steps/erasable-device";

/** Without serial number and model, no result could be attributed to a device. */
export const namedDevices = <Found extends { readonly facts: StorageDevice }, Device>(
  found: Outcome<readonly Found[]>,
  toDevice: (found: Found) => Device,
): Outcome<readonly Device[]> =>
  found.ok ? { ok: true, value: found.value.filter(({ facts }) => isNamed(facts)).map(toDevice) } : found;
