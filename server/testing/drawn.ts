// What a test tries of very many like cases: all of them, or in `npm test` a few that the commit draws.
import { inject } from "vitest";
import { drawn } from "@/scripts/testing/mutation/plan.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** The newest commit in `npm test`; undefined: everything is tried. */
    draw: string | undefined;
  }
}

/** Whether every case is tried. If not, a case that must be among them may be missing. */
export const isWhole = (): boolean => inject("draw") === undefined;

/** @returns at most `most` of the cases in `npm test`, at the same places for the same commit; otherwise all of them */
export function drawnOf(cases: readonly string[], most: number): readonly string[] {
  const commit = inject("draw");
  if (commit === undefined) return cases;
  // By their places: what they name is random in each run.
  const places = cases.map((text, place) => ({ name: String(place), text }));
  return drawn(places, most, commit).map(({ text }) => text);
}
