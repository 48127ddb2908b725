// How values of a platform are compared and worded, for what was read at Verifying as for what is read after the last step.

export const listed = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));
export const onOff = (on: boolean): string => (on ? "on" : "off");
export const setOrNot = (isSet: boolean): string => (isSet ? "set" : "not set");

/** Whether both have the same members, in any order. Pure. */
export const isSameSet = (left: readonly string[], right: readonly string[]): boolean =>
  [...left].sort().join("\n") === [...right].sort().join("\n");

type Measured = Readonly<Record<string, string>>;

/** The indexes whose value is not as it is named. What is not named is not compared: some values are another one on each device. Pure. */
export const differingMeasurements = (named: Measured, found: Measured): readonly string[] =>
  Object.entries(named).flatMap(([index, value]) =>
    Object.hasOwn(found, index) && found[index] === value ? [] : [index],
  );

/** Of each value as much as tells it from another. */
const shownDigits = 12;

/** What a component measured, short. Pure. */
export const measuredWords = (values: Measured): string =>
  listed(
    Object.entries(values).map(
      ([index, value]) =>
        `${index} ${value.length > shownDigits ? `${value.slice(0, shownDigits)}…` : value}`,
    ),
  );
