// Of what a boot shows, the devices that can be erased.
import { isNamed, type StorageDevice } from "@/server/domain/inventory/inventory";
import type { Outcome } from "@/agent/steps/erasable-device";

/** No result could be told to be of a device without serial number or model. */
export const namedDevices = <Found extends { readonly facts: StorageDevice }, Device>(
  found: Outcome<readonly Found[]>,
  toDevice: (found: Found) => Device,
): Outcome<readonly Device[]> =>
  found.ok ? { ok: true, value: found.value.filter(({ facts }) => isNamed(facts)).map(toDevice) } : found;
