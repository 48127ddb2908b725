// Steps of the interface `bios` (docs/clean-steps.md).
import { z } from "zod";
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, TimePolicy } from "@/server/domain/cleaning/steps/step";

// Settings are written, the host restarts, and they are read back. Only a match is success.
const bios = {
  interface: "bios",
  where: "controller",
  state: "WaitingForCleanup/PlatformCleanup",
  restarts: true,
  timeLimitMs: ({ times }: TimePolicy) => 3 * times.otherStepMs,
  expectedMs: () => 6 * 60_000,
} as const;

export const biosSettings = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(128),
      value: z.union([z.string().max(1024), z.number(), z.boolean()]),
    }),
  )
  .min(1)
  .max(256);

export const biosSteps: readonly CleanStep[] = [
  cleanStep({
    ...bios,
    step: "recommit",
    summary: "Applies the SKU's baseline BIOS settings and confirms them after the restart.",
    priority: 35,
    failureCause: "BiosSetupFailed",
    proves: ["platformAtBaseline"],
    applies: (known) => known.baseline?.bios !== undefined && known.platform.bios,
  }),
  cleanStep({
    ...bios,
    step: "apply_configuration",
    summary: "Writes BIOS settings, restarts the host and confirms them.",
    failureCause: "BiosSetupFailed",
    applies: (known) => known.platform.bios,
    args: [
      {
        name: "settings",
        description: "Settings to write, each with its name in the BIOS attribute registry and its value.",
        required: true,
        schema: biosSettings,
      },
    ],
  }),
  cleanStep({
    ...bios,
    step: "factory_reset",
    summary: "Sets the BIOS back to its defaults and restarts the host.",
    failureCause: "BiosSetupFailed",
    applies: (known) => known.platform.bios,
  }),
];
