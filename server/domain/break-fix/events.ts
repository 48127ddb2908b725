// What is told to webhooks, how it is signed, and when it is tried again (docs/repair.md#webhooks). Pure.
import { createHmac } from "node:crypto";

/** Sent when somebody asks for it, whatever kinds are subscribed to. */
export const testKind = "webhook.test";

const secretPrefix = "whsec_";

/** As Standard Webhooks writes secrets (https://github.com/standard-webhooks/standard-webhooks). @param bytes 32 random ones */
export const secretOf = (bytes: Buffer): string => `${secretPrefix}${bytes.toString("base64")}`;

/** Headers of one attempt. The id is the same in each attempt, so that a receiver can tell a repetition. */
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

/** Until the next attempt: 5 s, 10 s, 20 s, … an hour; a fifth of it by chance, so that what failed together is not tried together. */
export const retryAfterMs = (attempts: number, chance: number): number =>
  Math.round(Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(attempts - 1, 20)) * (0.9 + 0.2 * chance));

/** A webhook that takes nothing for so long is switched off. So many attempts at least: the time in which Reclaim did not run is not held against it. */
const patienceMs = 3 * 86_400_000;
const leastAttempts = 20;
export const isGivenUp = (failingSince: Date, attempts: number, now: Date): boolean =>
  attempts >= leastAttempts && now.getTime() - failingSince.getTime() >= patienceMs;
