// `reclaim trust add`: an auditor's trusted keys, in a file beside the settings.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { formatKey } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { readTrusted } from "@/cli/commands/audit-log/trust";
import { CommandError } from "@/cli/exit-codes";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const pathOf = ({ environment, home }: Surroundings): string =>
  join(environment.configHome ?? join(home, ".config"), "reclaim", "trusted-keys");

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/** The trusted keys; empty if there is no file. */
export async function readTrustFile(surroundings: Surroundings): Promise<readonly VerifierKey[]> {
  const path = pathOf(surroundings);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return "";
    throw new CommandError("usage", `${path} cannot be read: ${String(error)}`);
  });
  return text.trim() === "" ? [] : readTrusted([text], surroundings);
}

/** `reclaim trust` and its subcommands. */
export function addTrust(program: Command, surroundings: Surroundings): void {
  const group = program.command("trust").description("keys of logs that you trust, for `reclaim verify`");
  group
    .command("add")
    .description("stores a key that you got through a channel that you trust")
    .argument("<key>", "as `reclaim audit keys` printed it, or a file of such lines")
    .action(async (given: string, _options: object, command: Command) => {
      const { printer } = await openShell(command, surroundings, { signedIn: false });
      const added = await readTrusted([given], surroundings);
      const all = [...(await readTrustFile(surroundings)), ...added].map(formatKey);
      const path = pathOf(surroundings);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `${[...new Set(all)].join("\n")}\n`, { mode: 0o600 });
      for (const { name, id } of added) printer.say(`${path}: ${name}, key ${id}, is trusted.`);
    });
  group
    .command("list")
    .description("the keys that you added")
    .action(async (_options: object, command: Command) => {
      const { printer } = await openShell(command, surroundings, { signedIn: false });
      const keys = (await readTrustFile(surroundings)).map((key) => ({ key: formatKey(key) }));
      printer.list(keys, [{ name: "key", value: (row) => row.key, whole: true }], "You trust no key yet.");
    });
}
