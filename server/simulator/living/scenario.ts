// A scenario of the living demo: what people do at the site and what breaks, as YAML (docs/demo.md#scenario).
import { parse } from "yaml";
import { z } from "zod";

const seconds = z.int().min(1).max(86_400);
const share = z.number().min(0).max(1);

const scenario = z.strictObject({
  format: z.literal(1),
  tickSeconds: z.int().min(1).max(60),
  atStart: z.strictObject({ releases: z.int().min(0).max(100) }),
  tenants: z
    .array(
      z.strictObject({
        org: z.string().min(1).max(64),
        everySeconds: seconds,
        /** Shares of the fleet. */
        holds: z
          .strictObject({ least: share, most: share })
          .refine(({ least, most }) => least < most, "least must be below most"),
      }),
    )
    .min(1),
  driveFails: z.strictObject({ everySeconds: seconds, mendedAfterSeconds: seconds }).nullable(),
  leftForAPerson: z.int().min(0).max(10),
  /** Omitted: every machine works. */
  repairs: z
    .strictObject({
      org: z.string().min(1).max(64),
      everySeconds: seconds,
      oneReleaseIn: z.int().min(1).max(1_000),
      leftInQueue: z.int().min(0).max(10),
    })
    .nullable()
    .default(null),
  /** What the BMCs of as many machines report broken from the beginning. Omitted: nothing. */
  reportedBroken: z
    .array(z.enum(["fan", "supply", "leak", "drive", "log"]))
    .max(20)
    .default([]),
  slowBmc: z
    .strictObject({
      everySeconds: seconds,
      lastsSeconds: seconds,
      delayMs: z.int().min(1).max(60_000),
    })
    .nullable(),
});
export type Scenario = z.output<typeof scenario>;

/** Why a scenario cannot be played: every mistake with its path. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
}

/** Throws ScenarioError. */
export function parseScenario(text: string): Scenario {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new ScenarioError(error instanceof Error ? error.message : String(error));
  }
  const parsed = scenario.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ScenarioError(
    parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"),
  );
}
