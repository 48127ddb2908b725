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

/** Throws ZodError if the file is not a plan. */
export function parsePlan(text: string): Plan {
  const plan = planFile.parse(JSON.parse(text));
  const base = defaultPolicy();
  const { validationTests, samplesPerDevice, markersPerDevice } = plan.policy;
  const fullPolicy: Policy = {
    ...base,
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

export function readPlan(): Plan {
  return parsePlan(readFileSync(new URL("plan.json", import.meta.url), "utf8"));
}
