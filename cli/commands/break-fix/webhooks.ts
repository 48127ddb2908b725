// `reclaim webhooks`: where events are sent (docs/repair.md#webhooks).
import { eventKinds } from "@/server/domain/break-fix/event-kinds";
import type { DeliveryRow, WebhookRow } from "@/server/surfaces/trpc/types";
import { act, list } from "@/cli/define/command";
import { arg, choices, count, found, usually } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { pick } from "@/cli/find";
import type { Column } from "@/cli/output/printer";

const columns: readonly Column<WebhookRow>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "of", value: (row) => row.tenant ?? "the provider" },
  {
    name: "state",
    value: (row) => (row.disabledAt !== null ? "switched off" : row.failingSince !== null ? "failing" : "on"),
    tone: (row) => (row.disabledAt !== null ? "failed" : row.failingSince !== null ? "attention" : null),
    whole: true,
  },
  { name: "waiting", value: (row) => row.waiting },
  { name: "delivered", value: (row) => row.lastDeliveredAt },
  { name: "kinds", value: (row) => row.kinds, text: (row) => row.kinds.join(", ") || "all" },
  { name: "url", value: (row) => row.url },
  { name: "reason", value: (row) => row.disabledReason, long: true },
  { name: "id", value: (row) => row.id, extra: true },
  { name: "created by", value: (row) => row.createdBy, extra: true },
];

const deliveryColumns: readonly Column<DeliveryRow>[] = [
  { name: "event", value: (row) => row.kind, whole: true },
  { name: "at", value: (row) => row.createdAt },
  { name: "delivered", value: (row) => row.deliveredAt },
  { name: "attempts", value: (row) => row.attempts },
  { name: "status", value: (row) => row.status },
  { name: "next", value: (row) => row.nextAt },
  { name: "error", value: (row) => row.error, long: true },
  { name: "id", value: (row) => row.id, extra: true },
];

const webhook = found(arg("<webhook>", "name or id"), async ({ client }, text) =>
  pick("webhook", text, await client.webhooks.list.query()),
);
const byId = ({ webhook: { id } }: { readonly webhook: WebhookRow }) => ({ id });

export const webhooks = [
  list("webhooks list", { of: "webhooks.list", columns, none: "No webhooks." }),
  list("webhooks deliveries", {
    of: "webhooks.deliveries",
    args: { webhook },
    options: { limit: usually(count, 50) },
    input: ({ webhook: { id }, limit }) => ({ id, limit }),
    columns: deliveryColumns,
    none: "Nothing was sent.",
  }),
  act("webhooks create", {
    of: "webhooks.create",
    args: {
      name: arg("<name>", "name of the webhook"),
      url: arg("<url>", "where events are sent, https://"),
    },
    options: { kinds: choices("<kinds...>", "only these events; default: all", eventKinds) },
    input: ({ kinds = [], ...named }) => ({ ...named, kinds }),
    secret: ({ secret }, { name }) => [secret, `The secret of ${name}, shown only once.`],
  }),
  act("webhooks remove", {
    of: "webhooks.remove",
    args: { webhook },
    input: byId,
    asks: ({ webhook: { name, waiting } }) => [
      [`${waiting} pending events will not be sent.`],
      `Remove the webhook ${name}?`,
    ],
    said: ({ webhook: { name } }) => `The webhook ${name} is removed.`,
  }),
  act("webhooks skip", {
    of: "webhooks.skip",
    args: { webhook },
    input: ({ webhook: { id, name, next } }) => {
      if (next === null) throw new CommandError("notNow", `${name} has no pending events.`);
      return { id, deliveryId: next.id };
    },
    asks: ({ webhook: { name, next } }, { printer }) => [
      [`${next?.kind ?? ""} of ${printer.time(next?.createdAt ?? null)} will never be sent.`],
      `Skip the next event of ${name}?`,
    ],
    said: ({ webhook: { name, next } }) => `${name}: ${next?.kind ?? ""} skipped.`,
  }),
  act("webhooks test", {
    of: "webhooks.test",
    args: { webhook },
    input: byId,
    said: ({ webhook: { name } }) =>
      `${name}: a test event is queued; \`reclaim webhooks deliveries ${name}\` shows the result.`,
  }),
  act("webhooks resume", {
    of: "webhooks.resume",
    args: { webhook },
    input: byId,
    said: ({ webhook: { name } }) => `${name}: pending events are being sent.`,
  }),
];
