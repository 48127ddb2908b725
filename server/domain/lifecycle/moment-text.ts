// A time in a sentence that is stored or logged. Whoever reads it later may be in any time zone.

export const momentText = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, "2026-11-23T05:18:56".length).replace("T", " ")} UTC`;
