// `reclaim trust add`: an auditor's trusted keys, in a file beside the settings.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { list, record } from "@/server/contract/define";
import { formatKey } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { readTrusted } from "@/cli/commands/audit-log/trust";
import { command } from "@/cli/define/command";
import { arg } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
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

export const trust = [
  command("trust add", {
    title: "stores a key that you got through a channel that you trust",
    signedIn: false,
    args: { key: arg("<key>", "a key from `audit keys`, or a file of such lines") },
    run: async ({ printer, surroundings }, { key }) => {
      const added = await readTrusted([key], surroundings);
      const all = [...(await readTrustFile(surroundings)), ...added].map(formatKey);
      const path = pathOf(surroundings);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `${[...new Set(all)].join("\n")}\n`, { mode: 0o600 });
      for (const { name, id } of added) printer.say(`${path}: ${name}, key ${id}, is trusted.`);
    },
  }),
  command("trust list", {
    title: "the keys that you added",
    signedIn: false,
    shape: list(record({ key: z.string() })),
    alias: "ls",
    run: async ({ printer, surroundings }) => {
      const keys = (await readTrustFile(surroundings)).map((key) => ({ key: formatKey(key) }));
      printer.list(keys, [{ name: "key", value: (row) => row.key, whole: true }], "You trust no keys yet.");
    },
  }),
];
