// The console's six tones: what colour and shape mean, and the word that screen readers say for each.

/** What a colour means, everywhere (docs/design/console.md#state-colours). */
export type Tone = "neutral" | "working" | "waiting" | "attention" | "failed" | "good";

/** The word for a tone when it cannot be seen. */
export const toneLabels = {
  neutral: "at rest",
  working: "working",
  waiting: "waiting",
  attention: "attention",
  failed: "failed",
  good: "good",
} as const satisfies Record<Tone, string>;
