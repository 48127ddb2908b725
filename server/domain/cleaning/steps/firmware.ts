// Steps of the interface `firmware` (docs/clean-steps.md).
import { z } from "zod";
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import { firmwareImage } from "@/server/domain/hosts/platform/rollout";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";

const firmware = {
  interface: "firmware",
  where: "controller",
  state: "WaitingForCleanup/PlatformCleanup",
  failureCause: "PlatformCleanFailed",
} as const;

const firmwareFile = firmwareImage.omit({ version: true });

/** As it is asked for. */
export const firmwareSettings = z.array(firmwareFile).min(1).max(64);

/** As a plan keeps it: 0.2.0 took any address. */
export const keptFirmwareSettings = z.array(firmwareFile.extend({ url: z.string() })).min(1);

export const firmwareSteps: readonly CleanStep[] = [
  cleanStep({
    ...firmware,
    step: "apply_baseline",
    summary:
      "Updates firmware that differs from the SKU's baseline and for which a rollout named a file: the BMC first, then the others with one restart.",
    priority: 38,
    restarts: true,
    expectedMs: () => 20 * 60_000,
    timeLimitMs: ({ times }) => 6 * times.otherStepMs,
    applies: ({ images = [], platform }) => images.length > 0 && platform.firmwareUpdate,
  }),
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
