// The hardware types by name.
import { fakeHardware, fakeStepNames } from "@/server/hardware/fake/hardware-type";
import type { HardwareType } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { redfishHardwareType } from "@/server/hardware/redfish/hardware-type";
import { profiles } from "@/server/hardware/profiles";
import { redfishStepNames } from "@/server/hardware/redfish/steps";

/** Names of the hardware types for real machines. */
export const machineTypes: readonly string[] = profiles.map(({ name }) => name);

/** Every hardware type that a host can have. Those for machines share one Redfish client; `fake` must be switched on. */
export function hardwareTypes(
  client: RedfishClient,
  { fake }: { readonly fake: boolean },
): ReadonlyMap<string, HardwareType> {
  const types = profiles.map((profile) => redfishHardwareType(client, profile));
  // safety: fake: no adapter unless it is switched on (always)
  if (fake) types.push(fakeHardware);
  return new Map(types.map((type) => [type.name, type]));
}

/** Full names of the controller's steps for which a hardware type has code; null for an unknown type. */
export function stepCodeOf(hardwareType: string): ReadonlySet<string> | null {
  if (hardwareType === fakeHardware.name) return fakeStepNames;
  const profile = profiles.find(({ name }) => name === hardwareType);
  return profile === undefined ? null : redfishStepNames(profile);
}
