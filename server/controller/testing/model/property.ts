// The property under test, and its budget: runs and steps in one place.
import fc from "fast-check";
import { explore } from "@/server/controller/testing/model/exploration/explore";
import type { HandlerOf } from "@/server/controller/testing/model/controllers";

/** How many runs are explored, always the same ones in the same order: few in `npm test`, and 10,000 where there is time for them. */
export const runs = Number(process.env["RECLAIM_EXPLORE_RUNS"]) || 2_500;
const bugRuns = 10_000;
/** Events per run; the first number only says how the run begins. */
const steps = 60;
const seed = 20_261_121;

/** Explores until a promise is broken or all runs are over. `saw` gets what each run reached. */
export const exploreAll = (saw: (seen: ReadonlySet<string>) => void): fc.RunDetails<[number[]]> =>
  fc.check(
    property((numbers) => saw(explore(numbers))),
    { numRuns: runs, seed },
  );

/**
 * Explores with a bug in a handler until it breaks the promise that `breaks` names; it may break others first. Changes of the model shift which run
 * meets the bug, so there are many more runs than are needed today.
 */
export const exploreBug = (
  handlerOf: HandlerOf,
  breaks: RegExp,
  bugSeed: number,
): fc.RunDetails<[number[]]> =>
  fc.check(
    property((numbers) => {
      try {
        explore(numbers, handlerOf);
      } catch (error) {
        if (breaks.test(String(error))) throw error;
      }
    }),
    { numRuns: bugRuns, seed: bugSeed, endOnFailure: true },
  );

const property = (run: (numbers: number[]) => void) =>
  fc.property(fc.array(fc.nat(65_535), { minLength: steps + 1, maxLength: steps + 1 }), run);
