// The answer to a priority that would make the order an accident.
import type { OverrideTie } from "@/server/contract/answers/cleaning";
import { refused } from "@/server/usecases/problem";

const shown = 3;

/** Names both steps of each tie and where it would be. */
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
