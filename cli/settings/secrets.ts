// Resolves secrets that a file refers to: their values come from this machine. No message contains a value.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError } from "@/cli/exit-codes";
import type { Surroundings } from "@/cli/surroundings";

/** @param name `env:NAME` or `file:path` */
async function readSecret(
  what: string,
  name: string,
  folder: string,
  { environment }: Surroundings,
): Promise<string> {
  const [, kind, where = ""] = /^(env|file):([^]*)$/.exec(name) ?? [];
  const value =
    kind === "env"
      ? environment.variable(where)
      : await readFile(resolve(folder, where), "utf8").then(
          (text) => text.replace(/\r?\n$/, ""),
          () => null,
        );
  if (value === null || value === "")
    throw new CommandError(
      "usage",
      `${what} needs the secret ${name}, and ${kind === "env" ? `the variable ${where} is not set` : `the file ${where} is empty or cannot be read`}.`,
      "Nothing was sent. Files are looked for beside the file that names them.",
    );
  return value;
}

/** The values of secrets by name. @param what needs them, for the message */
export async function readNamedSecrets(
  what: string,
  names: Iterable<string>,
  folder: string,
  surroundings: Surroundings,
): Promise<Readonly<Record<string, string>>> {
  const found: [string, string][] = [];
  for (const name of new Set(names)) found.push([name, await readSecret(what, name, folder, surroundings)]);
  return Object.fromEntries(found);
}
