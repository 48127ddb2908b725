// `reclaim webhooks`: where events are sent (docs/repair.md#webhooks).
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { eventKinds } from "@/server/domain/break-fix/event-kinds";
import type { EventKind } from "@/server/domain/break-fix/event-kinds";
import type { DeliveryRow, WebhookRow } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { pick } from "@/cli/find";
import { readCount } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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

const findWebhook = async (client: Client, text: string): Promise<WebhookRow> =>
  pick("webhook", text, await client.webhooks.list.query());

function addReads(webhooks: Command, surroundings: Surroundings): void {
  webhooks
    .command("list")
    .alias("ls")
    .description(contract.webhooks.list.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list(await client.webhooks.list.query(), columns, "No webhooks.");
    });
  webhooks
    .command("deliveries")
    .description(contract.webhooks.deliveries.title)
    .argument("<webhook>", "its name or id")
    .option("--limit <count>", "maximum number", readCount)
    .action(async (text: string, { limit = 50 }: { limit?: number }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id } = await findWebhook(client, text);
      printer.list(
        await client.webhooks.deliveries.query({ id, limit }),
        deliveryColumns,
        "Nothing was sent.",
      );
    });
}

function addCreate(webhooks: Command, surroundings: Surroundings): void {
  webhooks
    .command("create")
    .description(contract.webhooks.create.title)
    .argument("<name>", "of the webhook")
    .argument("<url>", "where events are sent, https://")
    .addOption(new Option("--kinds <kinds...>", "only these events; default: all").choices(eventKinds))
    .action(async (name: string, url: string, { kinds = [] }: { kinds?: EventKind[] }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const made = await client.webhooks.create.mutate({ name, url, kinds });
      printer.secret(made, made.secret, `The secret of ${name}, shown this once.`);
    });
}

export function addWebhooks(program: Command, surroundings: Surroundings): void {
  const webhooks = program
    .command("webhooks")
    .description("where events are sent: list, deliveries, create, test, resume, skip, remove");
  addReads(webhooks, surroundings);
  addCreate(webhooks, surroundings);
  webhooks
    .command("remove")
    .description(contract.webhooks.remove.title)
    .argument("<webhook>", "its name or id")
    .action(async (text: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { id, name, waiting } = await findWebhook(shell.client, text);
      await confirm(shell, [`${waiting} pending events are not sent.`], `Remove the webhook ${name}?`);
      await shell.client.webhooks.remove.mutate({ id });
      shell.printer.say(`The webhook ${name} is removed.`);
    });
  webhooks
    .command("skip")
    .description(contract.webhooks.skip.title)
    .argument("<webhook>", "its name or id")
    .action(async (text: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { id, name, next } = await findWebhook(shell.client, text);
      if (next === null) throw new CommandError("notNow", `${name} has no pending events.`);
      const { id: deliveryId, kind, createdAt } = next;
      const words = `${kind} of ${shell.printer.time(createdAt)} is never sent.`;
      await confirm(shell, [words], `Skip the next event of ${name}?`);
      await shell.client.webhooks.skip.mutate({ id, deliveryId });
      shell.printer.say(`${name}: ${kind} skipped.`);
    });
  webhooks
    .command("test")
    .description(contract.webhooks.test.title)
    .argument("<webhook>", "its name or id")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id, name } = await findWebhook(client, text);
      await client.webhooks.test.mutate({ id });
      printer.say(
        `${name}: a test event waits to be sent; \`reclaim webhooks deliveries ${name}\` shows the result.`,
      );
    });
  webhooks
    .command("resume")
    .description(contract.webhooks.resume.title)
    .argument("<webhook>", "its name or id")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id, name } = await findWebhook(client, text);
      await client.webhooks.resume.mutate({ id });
      printer.say(`${name}: pending events are being sent.`);
    });
}
