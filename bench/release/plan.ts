// The plan that every benchmark host runs, read from `plan.json`: figures are comparable only under the same plan.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";

const seconds = z.int().min(1).max(3600);

const planFile = z.strictObject({
  name: z.string().min(1),
  hosts: z.int().min(1).max(20_000),
  /** Seed of the simulated fleet: two of five hosts Dell, two Lenovo, one generic, with the drives of their models. */
  fleetSeed: z.int().min(0),
  /** From 100,000 on, hardware takes no time. */
  simulatorSpeed: z.number().positive(),
  /** Whether each SKU has a baseline, which its hosts are then held against. `--baselines` */
  baselines: z.boolean(),
  /** Where the benchmark's site differs from the default policy. */
  policy: z.strictObject({
    validationTests: z.array(z.string()),
    samplesPerDevice: z.int().min(1),
    markersPerDevice: z.int().min(1),
  }),
  /** Connections over which all releases are sent at once. */
  releaseConnections: z.int().min(1).max(1000),
  commitRate: z.strictObject({ seconds, connections: z.array(z.int().min(1).max(64)).min(1) }),
  limits: z.strictObject({ onboardSeconds: seconds, assignSeconds: seconds, releaseSeconds: seconds }),
});

export type Plan = z.infer<typeof planFile> & {
  /** Digest of the file and the whole policy in force: runs with equal digests are comparable. */
  readonly digest: string;
  readonly fullPolicy: Policy;
};

/** Throws ZodError if the file is not a plan. @param baselines what the command line says in place of the file */
export function parsePlan(text: string, baselines = false): Plan {
  const file = planFile.parse(JSON.parse(text));
  const plan = { ...file, baselines: baselines || file.baselines };
  const base = defaultPolicy();
  const { validationTests, samplesPerDevice, markersPerDevice } = plan.policy;
  const fullPolicy: Policy = {
    ...base,
    requires: { ...base.requires, platformAtBaseline: plan.baselines },
    // With a limit on boots per minute, the limit would be what is measured.
    admission: noLimits,
    validationTests,
    sanitization: {
      ...base.sanitization,
      erase: { ...base.sanitization.erase, samplesPerDevice, markersPerDevice },
    },
  };
  const digest = createHash("sha256")
    .update(JSON.stringify(plan))
    .update(JSON.stringify(fullPolicy))
    .digest("hex")
    .slice(0, 12);
  return { ...plan, digest, fullPolicy };
}

export function readPlan(baselines = false): Plan {
  return parsePlan(readFileSync(new URL("plan.json", import.meta.url), "utf8"), baselines);
}
