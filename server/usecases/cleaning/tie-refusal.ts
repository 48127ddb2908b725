// Refuses a priority that would leave the order of two steps undefined.
import type { OverrideTie } from "@/server/contract/cleaning/cleaning-answers";
import { refused } from "@/server/usecases/problem";

const shown = 3;

/** Names both steps of each tie and where the tie would be. */
export function tieRefusal(ties: readonly OverrideTie[]) {
  const words = ties
    .slice(0, shown)
    .map(({ message, where }) => `${message} (${where})`)
    .join("; ");
  return refused(
    "conflict",
    `The order of steps with equal priority is undefined: ${words}${ties.length > shown ? `; and ${ties.length - shown} more` : ""}. Choose another priority.`,
    "priority",
  );
}
