// What is told of a part's memory errors, in words for page and command line (docs/parts.md#faults).
import type { Part } from "@/server/domain/hosts/parts/part";

const counted = (count: number | undefined, word: string): readonly string[] =>
  count === undefined ? [] : [`${count} ${word}`];

const together = (words: readonly string[], when: string): readonly string[] =>
  words.length === 0 ? [] : [`${words.join(", ")} ${when}`];

/** Null: a part without memory of its own. Pure. */
export function eccText({ kind, ecc }: Pick<Part, "kind" | "ecc">): string | null {
  if (ecc === undefined) return kind === "gpu" || kind === "memory" ? "errors not told" : null;
  const { corrected, uncorrected, lifetimeCorrected, lifetimeUncorrected, remappedRows } = ecc;
  const words = [
    ...together(
      [...counted(corrected, "corrected"), ...counted(uncorrected, "uncorrected")],
      "since its driver was loaded",
    ),
    ...together(
      [...counted(lifetimeCorrected, "corrected"), ...counted(lifetimeUncorrected, "uncorrected")],
      "in its life",
    ),
    ...counted(remappedRows, remappedRows === 1 ? "row remapped" : "rows remapped"),
    ...(ecc.remapPending === true ? ["a row waits to be remapped"] : []),
    ...(ecc.remapFailed === true ? ["a row could not be remapped"] : []),
  ];
  return words.length === 0 ? "errors not told" : words.join("; ");
}
