// Webhook deliveries: what is sent, how it is signed, and when it is retried (docs/repair.md#webhooks). Pure.
import { createHmac } from "node:crypto";

/** Sent on request, whatever kinds the webhook subscribes to. */
export const testKind = "webhook.test";

const secretPrefix = "whsec_";

/** A secret in the format of Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks). @param bytes 32 random bytes */
export const secretOf = (bytes: Buffer): string => `${secretPrefix}${bytes.toString("base64")}`;

/** Headers of one attempt. The id is the same in every attempt, so that receivers can detect duplicates. */
export function signedHeaders(
  secret: string,
  { id, body, at }: { readonly id: string; readonly body: string; readonly at: Date },
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

const firstWaitMs = 5_000;
const longestWaitMs = 3_600_000;

/** Backoff before the next attempt: 5 s, 10 s, 20 s, … up to an hour, with ±10 % jitter so that deliveries that failed together do not retry together. */
export const retryAfterMs = (attempts: number, chance: number): number =>
  Math.round(Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(attempts - 1, 20)) * (0.9 + 0.2 * chance));

/** A webhook that has failed for this long is switched off, but not before the minimum number of attempts, so that downtime of Reclaim does not count. */
const patienceMs = 3 * 86_400_000;
const leastAttempts = 20;
export const isGivenUp = (failingSince: Date, attempts: number, now: Date): boolean =>
  attempts >= leastAttempts && now.getTime() - failingSince.getTime() >= patienceMs;
