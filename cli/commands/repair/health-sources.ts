// `reclaim health-sources`: who may report health over HTTP (docs/repair.md#sources).
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { HealthSource } from "@/server/surfaces/trpc/types";
import { readCount } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const sourceColumns: readonly Column<HealthSource>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "site", value: (row) => row.site, text: (row) => row.site ?? "every site" },
  {
    name: "heartbeat",
    value: (row) => row.heartbeatSeconds,
    text: (row) => (row.heartbeatSeconds === null ? "" : `${row.heartbeatSeconds} s`),
  },
  { name: "hosts", value: (row) => row.hosts },
  { name: "silent", value: (row) => row.silent },
  { name: "used", value: (row) => row.lastUsedAt },
  { name: "created by", value: (row) => row.createdBy },
];

export function addHealthSources(program: Command, surroundings: Surroundings): void {
  const sources = program
    .command("health-sources")
    .description("who may report health over HTTP: list, add, replace-token, remove");
  sources
    .command("list")
    .alias("ls")
    .description(contract.health.sources.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list(await client.health.sources.query(), sourceColumns, "No health sources.");
    });
  sources
    .command("add")
    .description(contract.health.addSource.title)
    .argument("<name>", "of the source")
    .option("--site <name>", "only hosts of this site")
    .option(
      "--heartbeat <seconds>",
      "how often it reports on each host; if it stops, the host gets an alert",
      readCount,
    )
    .action(
      async (name: string, { site, heartbeat }: { site?: string; heartbeat?: number }, command: Command) => {
        const { client, printer } = await openShell(command, surroundings);
        const made = await client.health.addSource.mutate({
          name,
          site: site ?? null,
          heartbeatSeconds: heartbeat ?? null,
        });
        printer.secret(made, made.token, `The token of ${name}, shown this once.`);
      },
    );
  sources
    .command("replace-token")
    .description(contract.health.replaceToken.title)
    .argument("<name>", "of the source")
    .action(async (name: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      await confirm(shell, ["Its current token stops working at once."], `Replace the token of ${name}?`);
      const made = await shell.client.health.replaceToken.mutate({ name });
      shell.printer.secret(made, made.token, `The new token of ${name}, shown this once.`);
    });
  sources
    .command("remove")
    .description(contract.health.removeSource.title)
    .argument("<name>", "of the source")
    .action(async (name: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      await confirm(
        shell,
        ["Its token stops working at once. Its reports stay until they are removed."],
        `Remove the source ${name}?`,
      );
      await shell.client.health.removeSource.mutate({ name });
      shell.printer.say(`The source ${name} is removed.`);
    });
}
