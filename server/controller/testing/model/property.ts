// The property under test, and its budget: runs and steps in one place.
import fc from "fast-check";
import { explore } from "@/server/controller/testing/model/exploration/explore";
import type { HandlerOf } from "@/server/controller/testing/model/controllers";

export const runs = 10_000;
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
 * meets the bug, so there are more runs than are usually needed.
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
    { numRuns: 4 * runs, seed: bugSeed, endOnFailure: true },
  );

const property = (run: (numbers: number[]) => void) =>
  fc.property(fc.array(fc.nat(65_535), { minLength: steps + 1, maxLength: steps + 1 }), run);
