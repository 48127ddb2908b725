// Traits: a runbook runs only on hosts that share one with it (docs/cleaning.md#manual-cleaning).
import { z } from "zod";

export const trait = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:-]{0,254}$/,
    "letters, digits, dots, colons, hyphens and underscores; at most 255",
  );

export const maxTraits = 50;

/** Without duplicates. */
export const traits = z
  .array(trait)
  .max(maxTraits, `at most ${maxTraits} traits`)
  .transform((list) => [...new Set(list)]);
