// Names of the hardware types of machines, and which one a machine has according to its BMC (docs/design/hardware.md#interfaces).

export const machineTypeNames = ["redfish", "idrac", "xclarity"] as const;
export type MachineTypeName = (typeof machineTypeNames)[number];

const byManufacturer: readonly (readonly [RegExp, MachineTypeName])[] = [
  [/^dell\b/i, "idrac"],
  [/^lenovo\b/i, "xclarity"],
];

/** The hardware type for a manufacturer's machines; `redfish` for any other. Pure. */
export const machineTypeOf = (manufacturer: string): MachineTypeName =>
  byManufacturer.find(([pattern]) => pattern.test(manufacturer.trim()))?.[1] ?? "redfish";
