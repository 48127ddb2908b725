// The format of a file with a site's own step, and its faults (docs/agent.md#adding-a-step).
import { z } from "zod";
import { readJson } from "@/agent/site-steps/site-folder";
import type { Read } from "@/agent/site-steps/site-folder";
import { offeredTypes } from "@/server/domain/agents/protocol";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { stepInterfaces, stepName } from "@/server/domain/cleaning/steps/step";

const identifier = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "must be a-z, 0-9 and _, beginning with a letter");
const line = z.string().regex(/^[^\p{Cc}]{1,500}$/u, "must be one line of 1 to 500 characters");
/** One literal argument of the program. */
const word = z.string().regex(/^[^\0]{0,4096}$/, "must not have null bytes");

const argument = z.strictObject({
  name: identifier,
  description: line,
  type: z.enum(offeredTypes),
  required: z.boolean().default(false),
});

/** Where the value of an argument goes: after `option`, if there is one. Nothing is added if no value is given. */
const place = z.strictObject({ argument: identifier, option: word.optional() });

const stepFile = z.strictObject({
  interface: z.enum(stepInterfaces),
  step: identifier,
  summary: line,
  priority: z.int().min(0).max(1000),
  abortable: z.boolean(),
  timeLimitSeconds: z
    .int()
    .min(1)
    .max(7 * 86_400),
  writesToDrives: z.boolean().default(false),
  args: z.array(argument).max(32).default([]),
  command: z
    .tuple([z.string().regex(/^\/[^\0]+$/, "must be a full path")], z.union([word, place]))
    .refine((parts) => parts.length <= 128, "must not have more than 128 parts"),
});
export type StepFile = z.infer<typeof stepFile>;

/** Checks that a schema cannot express. */
function contradiction({ interface: name, step, priority, args, command }: StepFile): string | null {
  const [, ...parts] = command;
  const places = parts.filter((part) => typeof part !== "string");
  const names = args.map((arg) => arg.name);
  const used = places.map((part) => part.argument);
  // Otherwise Reclaim's own step would run in its place.
  if (findCleanStep(name, step) !== null)
    return `${stepName({ interface: name, step })} is a step of Reclaim`;
  if (new Set(names).size < names.length) return "two arguments have one name";
  const unused = names.filter((arg) => !used.includes(arg));
  if (unused.length > 0) return `the command does not use the argument ${unused.join(", ")}`;
  const unknown = used.filter((arg) => !names.includes(arg));
  if (unknown.length > 0) return `the command uses the argument ${unknown.join(", ")}, which is not declared`;
  const flag = places.find(
    (part) => part.option === undefined && args.find((arg) => arg.name === part.argument)?.type === "boolean",
  );
  if (flag !== undefined) return `the boolean argument ${flag.argument} needs an option in the command`;
  const required = args.find((arg) => arg.required);
  if (priority > 0 && required !== undefined)
    return `an automated plan gives no arguments, and ${required.name} is required: give it the priority 0, or require no argument`;
  return null;
}

/** The step in a file, or what is wrong with it. Pure. */
export function readStepFile(text: string): Read<StepFile> {
  const read = readJson(text, stepFile);
  if (!read.ok) return read;
  const problem = contradiction(read.value);
  return problem === null ? read : { ok: false, problem };
}
