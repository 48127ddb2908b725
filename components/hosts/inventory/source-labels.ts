// Labels for the sources of an inventory.

export const sourceLabels: Readonly<Record<string, string>> = { bmc: "BMC", debt: "sanitization debt" };
