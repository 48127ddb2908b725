// Counts of returns by standing, in words: "217 returns: 208 proven, 5 proven with exceptions, 1 not sanitized, 3 not proven".
import { standings, standingText } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";

export type TallyCounts = Readonly<Record<Standing, number>> & { readonly returns: number };

/** "208 proven", for each standing that occurs. Pure. */
export const tallyParts = (tally: TallyCounts): readonly string[] =>
  standings.flatMap((standing) =>
    tally[standing] === 0
      ? []
      : `${tally[standing].toLocaleString("en")} ${standingText[standing].toLowerCase()}`,
  );

/** Pure. */
export function tallyText(tally: TallyCounts): string {
  const returns = `${tally.returns.toLocaleString("en")} ${tally.returns === 1 ? "return" : "returns"}`;
  return tally.returns === 0 ? "No returns" : `${returns}: ${tallyParts(tally).join(", ")}`;
}
