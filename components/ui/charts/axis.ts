// Axis styles shared by all charts.

export const axisText = { fontSize: 11, fill: "var(--n9)" } as const;

/** Times below a chart; labels without room are left out. */
export const timeAxis = {
  tick: axisText,
  tickLine: false,
  axisLine: { stroke: "var(--n6)" },
  interval: "equidistantPreserveStart",
  height: 20,
} as const;
