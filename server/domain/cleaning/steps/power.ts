// Reserved steps: power, wait and hold. The controller performs them itself, under any interface name.
import { z } from "zod";
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, StepArgs } from "@/server/domain/cleaning/steps/step";

const reserved = {
  interface: "power",
  where: "controller",
  state: "WaitingForCleanup/PlatformCleanup",
  failureCause: "CleanFailed",
  reserved: true,
} as const;
const minute = 60_000;
const secondsOf = (args: StepArgs): number => z.number().catch(0).parse(args["seconds"]) * 1_000;

export const powerSteps: readonly CleanStep[] = [
  cleanStep({
    ...reserved,
    step: "hold",
    summary: "Stops the run until an operator resumes it.",
    abortable: true,
    expectedMs: () => null,
    args: [
      {
        name: "seconds",
        description: "After how many seconds the hold expires; the default is the site's setting.",
        required: false,
        schema: z
          .int()
          .min(1)
          .max(30 * 86_400),
      },
      {
        name: "reason",
        description: "What the operator should do during the hold.",
        required: false,
        schema: z.string().min(1).max(500),
      },
    ],
  }),
  cleanStep({
    ...reserved,
    step: "wait",
    summary: "Waits.",
    abortable: true,
    timeLimitMs: ({ times }, args) => secondsOf(args) + times.otherStepMs,
    expectedMs: (_known, args) => secondsOf(args),
    args: [
      {
        name: "seconds",
        description: "How long, in seconds.",
        required: true,
        schema: z.int().min(1).max(86_400),
      },
    ],
  }),
  cleanStep({
    ...reserved,
    step: "power_on",
    summary: "Switches the host on and reads its power state back.",
    expectedMs: () => minute,
  }),
  cleanStep({
    ...reserved,
    step: "power_off",
    summary: "Switches the host off and reads its power state back.",
    restarts: true,
    expectedMs: () => minute,
  }),
  cleanStep({
    ...reserved,
    step: "reboot",
    summary: "Restarts the host into the agent.",
    abortable: true,
    restarts: true,
    expectedMs: () => 6 * minute,
    timeLimitMs: ({ times }) => times.failureRetryMs * times.maxBoots,
  }),
];
