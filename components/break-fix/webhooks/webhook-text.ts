// Status texts for webhooks and deliveries. Pure.
import type { Tone } from "@/components/ui/tone";
import type { DeliveryRow, WebhookRow } from "@/server/surfaces/trpc/types";

interface Standing {
  readonly tone: Tone;
  readonly words: string;
}

/** Whether it is sending, and why not. */
export function webhookStatus({
  disabledAt,
  tenantDisabled,
  failingSince,
}: Pick<WebhookRow, "disabledAt" | "tenantDisabled" | "failingSince">): Standing {
  if (disabledAt !== null) return { tone: "failed", words: "switched off" };
  if (tenantDisabled) return { tone: "waiting", words: "tenant disabled" };
  return failingSince === null ? { tone: "good", words: "on" } : { tone: "attention", words: "failing" };
}

/** The receiver's answer to one attempt. */
export const formatAnswer = (status: number | null, error: string | null): string =>
  error ?? `It answered ${status ?? "nothing"}.`;

/** The receiver's last answer; null if there was no attempt. */
export function lastAnswerOf({
  lastAttemptAt,
  lastStatus,
  lastError,
}: Pick<WebhookRow, "lastAttemptAt" | "lastStatus" | "lastError">): string | null {
  return lastAttemptAt === null ? null : formatAnswer(lastStatus, lastError);
}

/** The status of a delivery. */
export function deliveryStandingOf({ deliveredAt, attempts }: DeliveryRow): Standing {
  if (deliveredAt !== null) return { tone: "good", words: "delivered" };
  return attempts === 0 ? { tone: "waiting", words: "waits" } : { tone: "attention", words: "retrying" };
}

/** The kinds of events it receives. */
export const formatKinds = (kinds: readonly string[]): string =>
  kinds.length === 0 ? "all events" : kinds.join(", ");
