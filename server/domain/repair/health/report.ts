// A health report: what a source says about a host. Names are free; text that cannot be shown or stored is rejected (docs/repair.md#reports).
import { z } from "zod";

/** `merge`: one of many, by source. `replace`: hides the others where health is shown, but never from a gate. */
export const reportModes = ["merge", "replace"] as const;
export type ReportMode = (typeof reportModes)[number];

const minute = 60_000;

/** Limits of a report, and the number of sources per host. */
export const reportLimits = {
  alerts: 128,
  successes: 512,
  sources: 64,
  classifications: 16,
  /** A timestamp further ahead means that the clock is wrong. */
  aheadMs: 5 * minute,
  /** An older observation says nothing about the host now. */
  oldMs: 24 * 60 * minute,
  heartbeatSeconds: { least: 10, most: 7 * 86_400 },
} as const;

/** Without control characters; a message may have line breaks. */
const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(most, `must have at most ${most} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not have control characters");
const lines = (most: number) =>
  z
    .string()
    .max(most, `must have at most ${most} characters`)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, "must not have control characters");

/** An alert's message, and its message for the host's tenant. */
export const alertTexts = { message: lines(4_096), tenantMessage: lines(1_024) } as const;

const name = line(128);
const target = line(256).nullable().default(null);
const moment = z.iso.datetime({ offset: true, error: "must be a time in ISO 8601 with its offset" });

export const sourceName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be 1 to 64 of a-z, 0-9, dot, dash and underscore");

export const heartbeatSeconds = z
  .int()
  .min(reportLimits.heartbeatSeconds.least, `must be at least ${reportLimits.heartbeatSeconds.least} seconds`)
  .max(reportLimits.heartbeatSeconds.most, `must be at most ${reportLimits.heartbeatSeconds.most} seconds`);

/** As sent by a source. */
export const alertInput = z.strictObject({
  id: name,
  target,
  /** Left out: since it was first reported. */
  inAlertSince: moment.nullable().default(null),
  message: alertTexts.message.default(""),
  tenantMessage: alertTexts.tenantMessage.nullable().default(null),
  classifications: z.array(line(64)).max(reportLimits.classifications).default([]),
});

export const successInput = z.strictObject({ id: name, target });

const uniqueKeys = (list: readonly { readonly id: string; readonly target: string | null }[]): boolean =>
  new Set(list.map(keyOf)).size === list.length;

/** The body of a report. */
export const reportInput = z.strictObject({
  /** Left out: now. */
  observedAt: moment.nullable().default(null),
  successes: z.array(successInput).max(reportLimits.successes).default([]),
  alerts: z
    .array(alertInput)
    .max(reportLimits.alerts)
    .refine(uniqueKeys, "must not name an alert with the same id and target twice")
    .default([]),
  /** How often the source promises to report about this host; null: it promises nothing. Left out: the token's setting applies. */
  heartbeatSeconds: heartbeatSeconds.nullable().optional(),
});
export type ReportInput = z.output<typeof reportInput>;

/** As stored: every alert has a start time. */
export const storedAlert = z.object({
  id: z.string(),
  target: z.string().nullable(),
  inAlertSince: z.string(),
  message: z.string(),
  tenantMessage: z.string().nullable(),
  classifications: z.array(z.string()).readonly(),
});
export type Alert = Readonly<z.infer<typeof storedAlert>>;

export const storedSuccess = z.object({ id: z.string(), target: z.string().nullable() });
export type Success = Readonly<z.infer<typeof storedSuccess>>;

export const storedBody = z.object({
  successes: z.array(storedSuccess).readonly(),
  alerts: z.array(storedAlert).readonly(),
});
export type ReportBody = Readonly<z.infer<typeof storedBody>>;

export interface Report extends ReportBody {
  readonly source: string;
  readonly mode: ReportMode;
  readonly observedAtMs: number;
  /** Since when the source has missed its promised reports; null: it has not, or it promised nothing. */
  readonly silentSinceMs: number | null;
}

/** Two alerts with the same key are one alert. */
export const keyOf = ({ id, target }: { readonly id: string; readonly target: string | null }): string =>
  JSON.stringify([id, target]);

/** Why a report's timestamp is not accepted; null: it is. `storedMs`: that of the source's stored report. Pure. */
export function timeRefusal(observedMs: number, nowMs: number, storedMs: number | null): string | null {
  if (observedMs > nowMs + reportLimits.aheadMs)
    return `observedAt is more than 5 minutes ahead of the server's clock, which is ${new Date(nowMs).toISOString()}`;
  if (observedMs < nowMs - reportLimits.oldMs) return "observedAt is more than 24 hours ago";
  return storedMs !== null && observedMs < storedMs
    ? `a newer report of this source is stored, observed at ${new Date(storedMs).toISOString()}`
    : null;
}

/** The body as stored. An existing alert keeps its start time, and no start time is in the future. Pure. */
export function bodyOf(input: ReportInput, before: ReportBody | null, nowMs: number): ReportBody {
  const since = new Map((before?.alerts ?? []).map((alert) => [keyOf(alert), alert.inAlertSince]));
  const observedMs = input.observedAt === null ? nowMs : Date.parse(input.observedAt);
  return {
    successes: input.successes,
    alerts: input.alerts.map((alert) => ({
      ...alert,
      classifications: [...new Set(alert.classifications)],
      inAlertSince:
        alert.inAlertSince === null
          ? (since.get(keyOf(alert)) ?? new Date(Math.min(observedMs, nowMs)).toISOString())
          : new Date(Math.min(Date.parse(alert.inAlertSince), nowMs)).toISOString(),
    })),
  };
}
