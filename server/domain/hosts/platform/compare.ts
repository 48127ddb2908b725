// How values of a platform are compared and worded, for what was read at Verifying as for what is read after the last step.

export const listed = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));
export const onOff = (on: boolean): string => (on ? "on" : "off");
export const setOrNot = (isSet: boolean): string => (isSet ? "set" : "not set");

/** Whether both have the same members, in any order. Pure. */
export const isSameSet = (left: readonly string[], right: readonly string[]): boolean =>
  [...left].sort().join("\n") === [...right].sort().join("\n");
