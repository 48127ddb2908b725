// A moment in a sentence that is stored or logged: whoever reads it later may be in any zone.

export const momentWords = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, "2026-11-23T05:18:56".length).replace("T", " ")} UTC`;
