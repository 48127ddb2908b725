// Webhooks: where events are sent (docs/repair.md#webhooks).
import { z } from "zod";
import { act, list, nothing, read, record } from "@/server/contract/define";
import { eventKinds } from "@/server/domain/break-fix/event-kinds";
import { neededText } from "@/server/domain/break-fix/ticket";

const webhookId = z.guid("must be the id of a webhook");
const name = neededText(64);
const url = z
  .url({ protocol: /^https?$/, error: "must be an https:// address" })
  .max(2048, "at most 2048 characters")
  .refine((text) => URL.canParse(text) && new URL(text).username === "" && new URL(text).password === "", {
    error: "must not contain a user name or password: the signature identifies the sender",
  });

export const webhookRow = record({
  id: z.string(),
  name: z.string(),
  /** Null for a webhook of the provider, which receives every event. */
  tenant: z.string().nullable(),
  url: z.string(),
  /** Empty: all kinds. */
  kinds: list(z.string()),
  createdBy: z.string(),
  createdAt: z.date(),
  /** Since when every delivery has failed. */
  failingSince: z.date().nullable(),
  disabledAt: z.date().nullable(),
  disabledReason: z.string().nullable(),
  /** How many events are pending. */
  waiting: z.number(),
  /** The pending event that is sent next; null if none is pending. */
  next: record({ id: z.string(), kind: z.string(), createdAt: z.date() }).nullable(),
  lastDeliveredAt: z.date().nullable(),
  /** Time of the newest attempt; null if there was none. */
  lastAttemptAt: z.date().nullable(),
  /** HTTP status of the response; null if there was none. */
  lastStatus: z.number().nullable(),
  /** Why the delivery failed; null if it did not. */
  lastError: z.string().nullable(),
  /** Nothing is sent until the tenant is enabled. */
  tenantDisabled: z.boolean(),
  mayChange: z.boolean(),
});
export type WebhookRow = z.infer<typeof webhookRow>;

export const deliveryRow = record({
  id: z.string(),
  kind: z.string(),
  createdAt: z.date(),
  attempts: z.number(),
  attemptedAt: z.date().nullable(),
  /** Time of the next attempt; null if delivered, or if the webhook is disabled. */
  nextAt: z.date().nullable(),
  /** HTTP status of the last response; null if there was none. */
  status: z.number().nullable(),
  error: z.string().nullable(),
  deliveredAt: z.date().nullable(),
});
export type DeliveryRow = z.infer<typeof deliveryRow>;

const one = z.strictObject({ id: webhookId });
const done = record({ id: z.string() });

export const webhooks = {
  list: read({
    title: "where events are sent",
    right: "webhook.read",
    input: nothing,
    output: list(webhookRow),
  }),
  deliveries: read({
    title: "the latest deliveries of a webhook, with the last response to each",
    right: "webhook.read",
    input: z.strictObject({ id: webhookId, limit: z.int().min(1).max(200).default(50) }),
    output: list(deliveryRow),
  }),
  create: act({
    title: "creates a webhook; its secret is returned only once",
    right: "webhook.write",
    action: "webhook.create",
    input: z.strictObject({ name, url, kinds: z.array(z.enum(eventKinds)).max(32).default([]) }),
    output: record({ id: z.string(), secret: z.string() }),
  }),
  remove: act({
    title: "removes a webhook and its pending events",
    right: "webhook.write",
    action: "webhook.remove",
    input: one,
    output: done,
  }),
  resume: act({
    title: "resumes a webhook: pending events are sent now, in order, even if it was switched off",
    right: "webhook.write",
    action: "webhook.resume",
    input: one,
    output: done,
  }),
  skip: act({
    title: "skips the next pending event, so that the ones after it are sent",
    right: "webhook.write",
    action: "webhook.skip",
    /** Names the event, so that a caller with a stale list cannot skip a different one. */
    input: one.extend({ deliveryId: z.guid("must be the id of a delivery") }),
    output: done,
  }),
  test: act({
    title: "sends a test event",
    right: "webhook.write",
    action: "webhook.test",
    input: one,
    output: record({ id: z.string(), deliveryId: z.string() }),
  }),
};
