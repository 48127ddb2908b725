// The outcome of an effect, as a handler reads it.
import { z } from "zod";
import type { MarkReading } from "@/server/domain/hosts/reset-mark";
import { storedMarkClock } from "@/server/domain/lifecycle/context";
import { powerStates } from "@/server/hardware/interfaces";
import { storedBootSettings } from "@/server/domain/hosts/boot-settings";
import { storedDevice } from "@/server/domain/hosts/inventory/inventory";
import { partsReport } from "@/server/domain/hosts/parts/part";
import { biosAttributes } from "@/server/domain/hosts/inventory/bios";
import { bmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import { noPlatformFacts, storedFacts } from "@/server/domain/hosts/inventory/platform";
import { deviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { unresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import { storedJson } from "@/server/domain/json";
import type { EffectView } from "@/server/domain/hosts/record/effect";

export const systemReading = z.object({
  power: z.enum(powerStates),
  bootOverride: z.object({ source: z.string(), enabled: z.boolean() }),
  serial: z.string(),
  uuid: z.string(),
  manufacturer: z.string(),
  model: z.string(),
  // Effects of the previous version report neither a reset mark nor a proof.
  resetMark: z.string().nullable().default(null),
  markClock: storedMarkClock,
});
export type SystemValue = z.infer<typeof systemReading>;

/** The boot source stays set for every boot, because the BMC cannot set one for a single boot. */
export const setForEveryBoot = z.object({ continuous: z.literal(true) });

/** The value of an effect that restarted the host into an agent: the reading afterwards, its proof, and the mark before. */
export const bootValue = systemReading.extend({
  restart: z.object({
    proof: z.enum(["resetMark", "powerOff"]),
    before: z.string().nullable(),
    beforeClock: storedMarkClock,
  }),
});
export type BootValue = z.infer<typeof bootValue>;

export const verifyValue = z.object({
  links: storedJson,
  system: systemReading,
  storage: z.array(storedDevice),
  macs: z.array(z.string()),
  firmware: storedJson,
  // Effects of the previous version do not report this.
  platform: storedFacts.prefault(noPlatformFacts),
  bios: biosAttributes.nullable().prefault(null),
  bmcSettings: bmcSettings.nullable().prefault(null),
  boot: storedBootSettings.nullable().prefault(null),
  parts: partsReport.nullable().catch(null).prefault(null),
  leftOut: z.array(z.string()),
  unresolved: z.array(unresolvedStorage).prefault([]),
});
export type VerifyValue = z.infer<typeof verifyValue>;

/** Progress of a controller's step, as its code reported it (`StepProgress`). */
export const stepProgress = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("done"), message: z.string(), devices: z.array(deviceResult.strip()) }),
  z.object({
    kind: z.literal("running"),
    handle: storedJson,
    percent: z.number().nullable(),
    message: z.string(),
    silent: z.literal(true).exactOptional(),
  }),
  z.object({ kind: z.literal("restart"), handle: storedJson, message: z.string() }),
  z.object({
    kind: z.literal("failed"),
    message: z.string(),
    recovery: z.literal("powerCycle").exactOptional(),
    final: z.literal(true).exactOptional(),
  }),
]);
export type StepProgressValue = z.infer<typeof stepProgress>;

const ofAttempt = z.object({ stepRunId: z.string(), attempt: z.number() });

/** Whether a `step` effect belongs to that attempt and not to an earlier one. */
export function isOfAttempt(effect: EffectView, stepRunId: string, attempt: number): boolean {
  const request = ofAttempt.parse(effect.request);
  return request.stepRunId === stepRunId && request.attempt === attempt;
}

/** The error of a network effect at a site without a network controller. */
export const noController = "notConfigured";

/** The last request of an effect that was permitted; stored with the permit. */
export const effectPhases = ["read", "setBoot", "reset", "put", "step"] as const;
export type EffectPhase = (typeof effectPhases)[number];

const storedResult = z.object({
  phase: z.enum(effectPhases).optional(),
  value: storedJson.optional(),
  error: z
    .object({
      kind: z.string(),
      message: z.string(),
      answer: z.object({ http: z.number(), messageIds: z.array(z.string()) }).optional(),
    })
    .optional(),
  /** The host's reset mark before a restart was sent, stored with its permit. */
  resetMark: z.string().optional(),
  markClock: storedMarkClock,
});

/** The BMC's answer by its standard: HTTP status and message ids. */
type Answer = { readonly http: number; readonly messageIds: string[] } | null;

export type EffectOutcome =
  | { readonly kind: "pending" }
  | { readonly kind: "done"; readonly value: unknown }
  | {
      readonly kind: "failed";
      readonly errorKind: string;
      readonly message: string;
      /** Null: no answer, or the call was stopped earlier. */
      readonly answer: Answer;
    }
  /** Nothing was sent: it may be requested again. */
  | { readonly kind: "neverSent" }
  /** The process died or the answer was lost after the permit for `phase`: it must be looked up. `message`: what the machine did; null if the process died. */
  | {
      readonly kind: "unknown";
      readonly phase: EffectPhase;
      readonly message: string | null;
      /** How the request failed; null if the process died. */
      readonly errorKind: string | null;
      readonly answer: Answer;
      /** Read before the restart that was sent. */
      readonly before: MarkReading;
    };

/**
 * Reads an effect as seen by a claim with `generation`. One that an earlier generation wrote and never settled is orphaned: the claim that lost
 * it can neither write nor get a permit any more (docs/design/datapath.md#effects).
 */
export function readOutcome(effect: EffectView, generation: string): EffectOutcome {
  const stored = storedResult.parse(effect.result ?? {});
  switch (effect.status) {
    case "done":
      return { kind: "done", value: stored.value };
    case "failed":
      return {
        kind: "failed",
        errorKind: stored.error?.kind ?? "failed",
        message: stored.error?.message ?? "no message",
        answer: stored.error?.answer ?? null,
      };
    case "unknown":
      return stored.phase === undefined
        ? { kind: "neverSent" }
        : {
            kind: "unknown",
            phase: stored.phase,
            message: stored.error?.message ?? null,
            errorKind: stored.error?.kind ?? null,
            answer: stored.error?.answer ?? null,
            before: { resetMark: stored.resetMark ?? null, markClock: stored.markClock },
          };
    case "written":
      // safety: effects: one of an earlier claim is not pending (always)
      return effect.generation === generation ? { kind: "pending" } : { kind: "neverSent" };
    case "permitted":
      if (effect.generation === generation) return { kind: "pending" };
      return stored.phase === undefined
        ? { kind: "neverSent" }
        : {
            kind: "unknown",
            phase: stored.phase,
            message: null,
            errorKind: null,
            answer: null,
            before: { resetMark: stored.resetMark ?? null, markClock: stored.markClock },
          };
  }
}

export function systemValue(value: unknown): SystemValue {
  return systemReading.parse(value);
}
