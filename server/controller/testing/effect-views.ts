// Effects as a host's view has them, and what they found.
import type { MarkClock } from "@/server/domain/hosts/reset-mark";
import type { EffectKind, EffectView } from "@/server/domain/hosts/record/effect";
import type { ReclamationView } from "@/server/domain/hosts/record/reclamation";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { readingOf } from "@/server/controller/inventory/bmc-storage";
import type { ReadingPhase } from "@/server/controller/inventory/bmc-storage";
import { chassisSerial, systemUuid } from "@/server/controller/testing/hardware";
import { now } from "@/server/controller/testing/host-view";

/** An effect of the generation before this claim; if it ended, it did so just now. */
export function effect(
  kind: EffectKind,
  status: EffectView["status"],
  result: unknown = null,
  settledAtMs = now,
): EffectView {
  const ended = status === "done" || status === "failed" || status === "unknown";
  return {
    id: `effect-${kind}`,
    kind,
    status,
    generation: "6",
    request: {},
    result,
    settledAtMs: ended ? settledAtMs : null,
  };
}

/** The effect that reads the BMC's drives for that reclamation. */
export const drivesEffect = (
  phase: ReadingPhase,
  row: ReclamationView,
  status: EffectView["status"],
  result: unknown = null,
): EffectView => ({
  ...effect("verify", status, result),
  request: { only: "storage", of: readingOf(row, phase) },
});

/** The value of such a reading. */
export const drivesTold = (
  storage: readonly StorageDevice[],
  changes: Readonly<Record<string, unknown>> = {},
  serial = chassisSerial,
) => ({
  value: {
    system: {
      power: "on",
      bootOverride: { source: "none", enabled: false },
      serial,
      uuid: systemUuid,
      manufacturer: "Dell Inc.",
      model: "PowerEdge R760",
    },
    storage,
    unresolved: [],
    platform: noPlatformFacts,
    ...changes,
  },
});

export const failedEffect = (kind: EffectKind, message = "503 Service Unavailable"): EffectView =>
  effect(kind, "failed", { error: { kind: "failed", message } });

/** A mark that was read at this time, by a BMC with the right time. */
export const clockAt = (time: string): MarkClock => ({ bmcTime: time, readAt: time });

/** The value of a restart into an agent, proven by a reset mark that moved on. */
export const restarted = (
  before: string | null = "2026-11-01T10:00:00Z",
  after: string | null = "2026-11-01T12:00:00Z",
): { readonly value: object } => ({
  value: {
    power: "on",
    bootOverride: { source: "none", enabled: false },
    serial: chassisSerial,
    uuid: systemUuid,
    manufacturer: "Dell Inc.",
    model: "PowerEdge R760",
    resetMark: after,
    markClock: clockAt("2026-11-01T12:00:05Z"),
    restart: { proof: "resetMark", before, beforeClock: clockAt("2026-11-01T11:59:50Z") },
  },
});

export function systemRead(
  overrideEnabled: boolean,
  power: "on" | "off" | "poweringOn" = "on",
  resetMark: string | null = null,
): unknown {
  return {
    value: {
      resetMark,
      markClock: clockAt("2026-11-01T12:00:05Z"),
      power,
      bootOverride: { source: overrideEnabled ? "uefiHttp" : "none", enabled: overrideEnabled },
      serial: chassisSerial,
      uuid: systemUuid,
      manufacturer: "Dell Inc.",
      model: "PowerEdge R760",
    },
  };
}
