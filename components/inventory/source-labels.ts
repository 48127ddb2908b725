// How the sources of an inventory are called.

/** Upper case, as people write it. */
export const sourceLabels: Readonly<Record<string, string>> = { bmc: "BMC", debt: "sanitization debt" };
