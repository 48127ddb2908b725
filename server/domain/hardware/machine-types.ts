// The hardware types of machines by name, and which of them a machine is by what its BMC says (docs/design/hardware.md#interfaces).

export const machineTypeNames = ["redfish", "idrac", "xclarity"] as const;
export type MachineTypeName = (typeof machineTypeNames)[number];

const byManufacturer: readonly (readonly [RegExp, MachineTypeName])[] = [
  [/^dell\b/i, "idrac"],
  [/^lenovo\b/i, "xclarity"],
];

/** What the machines of a manufacturer are driven with; the standard's own type where nobody knows better. Pure. */
export const machineTypeOf = (manufacturer: string): MachineTypeName =>
  byManufacturer.find(([pattern]) => pattern.test(manufacturer.trim()))?.[1] ?? "redfish";
