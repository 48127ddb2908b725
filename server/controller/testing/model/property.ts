// The property that is tested, and how long: runs and steps in one place.
import fc from "fast-check";
import { explore } from "@/server/controller/testing/model/explore";
import type { HandlerOf } from "@/server/controller/testing/model/controllers";

export const runs = 10_000;
/** Happenings per run; the first number only says how the run begins. */
const steps = 60;
const seed = 20_261_121;

/** Explores until a promise is broken, or all runs are over. `saw` hears what each run went through. */
export function exploreAll(
  handlerOf?: HandlerOf,
  saw: (seen: ReadonlySet<string>) => void = () => undefined,
): fc.RunDetails<[number[]]> {
  const property = fc.property(
    fc.array(fc.nat(65_535), { minLength: steps + 1, maxLength: steps + 1 }),
    (numbers) => saw(explore(numbers, handlerOf)),
  );
  // With a bug it ends where the bug is found. More runs may be needed for that: what the model can do changes which run meets it first.
  const seeded = handlerOf !== undefined;
  return fc.check(property, { numRuns: seeded ? 4 * runs : runs, seed, endOnFailure: seeded });
}
