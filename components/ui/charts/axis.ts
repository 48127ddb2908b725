// The text on the axes of all charts.

export const axisText = { fontSize: 11, fill: "var(--n9)" } as const;
