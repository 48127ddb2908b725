// What an expectation about a drive and a policy is based on (docs/adr/0053-policy-foresight.md).

/** The policy alone, the drive's recorded results, what it reported about itself, or drives of its model and firmware. */
export const bases = ["policy", "recorded", "reported", "model"] as const;
export type Basis = (typeof bases)[number];

const labels = {
  policy: "policy alone",
  recorded: "recorded results",
  reported: "reported capabilities",
  model: "same model and firmware",
} as const satisfies Record<Basis, string>;

/** "recorded results"; with the number of drives each if there are several bases. Pure. */
export function basisText(counts: Readonly<Record<Basis, number>>): string {
  const used = bases.filter((basis) => counts[basis] > 0);
  return used
    .map((basis) => (used.length === 1 ? labels[basis] : `${labels[basis]} (${counts[basis]})`))
    .join(", ");
}
