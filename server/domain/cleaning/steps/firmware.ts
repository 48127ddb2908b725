// Steps of the interface `firmware` (docs/clean-steps.md).
import { z } from "zod";
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";

const firmware = {
  interface: "firmware",
  where: "controller",
  state: "WaitingForCleanup/PlatformCleanup",
  failureCause: "PlatformCleanFailed",
} as const;

export const firmwareSettings = z
  .array(
    z.strictObject({
      component: z.string().min(1).max(256),
      url: z.url().max(2048),
      checksum: z.string().regex(/^[0-9a-f]{64}$/, "the SHA-256 of the image, 64 hexadecimal digits"),
      wait: z.int().min(0).max(3600).optional(),
    }),
  )
  .min(1)
  .max(64);

export const firmwareSteps: readonly CleanStep[] = [
  cleanStep({
    ...firmware,
    step: "verify_baseline",
    summary: "Compares firmware versions with the SKU's baseline.",
    priority: 30,
    proves: ["platformAtBaseline"],
    applies: (known) => known.baseline?.firmware !== undefined,
  }),
  cleanStep({
    ...firmware,
    step: "update",
    summary: "Updates components in the order given, each read back before the next.",
    failureCause: "CleanFailed",
    restarts: true,
    expectedMs: () => 9 * 60_000,
    timeLimitMs: ({ times }) => 6 * times.otherStepMs,
    applies: (known) => known.platform.firmwareUpdate,
    args: [
      {
        name: "settings",
        description:
          "Components, each with the address of its image, the image's SHA-256, and seconds to wait after it.",
        required: true,
        schema: firmwareSettings,
      },
    ],
  }),
];
