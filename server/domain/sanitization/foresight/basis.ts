// What it rests on that a drive meets a policy or cannot (docs/adr/0061-reported-capabilities.md).

/** The policy alone, the drive's recorded results, what it reported of itself, or drives of its model and firmware. */
export const bases = ["policy", "recorded", "reported", "model"] as const;
export type Basis = (typeof bases)[number];

const labels = {
  policy: "policy alone",
  recorded: "recorded results",
  reported: "reported capabilities",
  model: "same model and firmware",
} as const satisfies Record<Basis, string>;

/** "recorded results"; with numbers of drives where it was more than one thing. Pure. */
export function basisWords(counts: Readonly<Record<Basis, number>>): string {
  const used = bases.filter((basis) => counts[basis] > 0);
  return used
    .map((basis) => (used.length === 1 ? labels[basis] : `${labels[basis]} (${counts[basis]})`))
    .join(", ");
}
