// What every subcommand uses: settings, client and printer, created from the options on first use.
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { createClient } from "@/cli/client";
import type { Client } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { createAsk, interruptedError } from "@/cli/http";
import type { Ask } from "@/cli/http";
import { Printer } from "@/cli/output/printer";
import { readAllSettings } from "@/cli/settings/settings";
import type { GlobalOptions, Settings } from "@/cli/settings/settings";
import type { Surroundings } from "@/cli/surroundings";

export interface Shell {
  readonly surroundings: Surroundings;
  readonly settings: Settings;
  readonly client: Client;
  readonly ask: Ask;
  readonly printer: Printer;
}

/** Reads the settings, without a request. A missing token is reported at once, because every request would be refused. */
export async function openShell(
  command: Command,
  surroundings: Surroundings,
  { signedIn = true } = {},
): Promise<Shell> {
  const settings = await readAllSettings(command.optsWithGlobals<GlobalOptions>(), surroundings);
  if (signedIn && settings.token === null)
    throw new CommandError(
      "forbidden",
      "There is no token.",
      "Store one with `reclaim login`, or set RECLAIM_TOKEN.",
    );
  const ask = createAsk(settings, surroundings.interrupted);
  return {
    surroundings,
    settings,
    ask,
    client: createClient(ask),
    printer: new Printer(settings, surroundings),
  };
}

/** Asks before something irreversible. Throws if the answer is no, or if there is no terminal to ask on. */
export async function confirm(
  { settings, surroundings }: Shell,
  consequences: readonly string[],
  question: string,
): Promise<void> {
  if (settings.yes) return;
  const { stdin, stderr, interrupted } = surroundings;
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new CommandError(
      "usage",
      `This needs your confirmation, and there is no terminal to ask at: ${consequences.join(" ")}`,
      "Add --yes to confirm.",
    );
  }
  for (const line of consequences) stderr.write(`${line}\n`);
  const answer = await prompt(surroundings, `${question} [y/N] `);
  if (interrupted.aborted) throw interruptedError();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("failed", "Nothing was done.");
}

/** Reads one line from the terminal. Ctrl-C ends it. */
async function prompt({ stdin, stderr, interrupted }: Surroundings, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  const gone = new AbortController();
  lines.once("SIGINT", () => gone.abort());
  lines.once("close", () => gone.abort());
  try {
    return await lines.question(question, { signal: AbortSignal.any([interrupted, gone.signal]) });
  } catch {
    stderr.write("\n");
    throw interruptedError();
  } finally {
    lines.close();
  }
}

const maxStdinBytes = 4 * 1024 * 1024;

async function readStdinBytes({ stdin }: Surroundings): Promise<Buffer> {
  const bytes = await buffer(stdin);
  if (bytes.length > maxStdinBytes) throw new CommandError("usage", "What came in on stdin is too long.");
  return bytes;
}

export const readStdin = async (surroundings: Surroundings): Promise<string> =>
  (await readStdinBytes(surroundings)).toString("utf8");

/**
 * The text of a file, or of stdin for `-`.
 * @param what kind of file, such as "document"
 */
export const readText = async (
  what: string,
  file: string,
  surroundings: Surroundings,
  advice?: string,
): Promise<string> => (await readBytes(what, file, surroundings, advice)).toString("utf8");

/** Like readText, for files that may not be text. */
export async function readBytes(
  what: string,
  file: string,
  surroundings: Surroundings,
  advice?: string,
): Promise<Buffer> {
  if (file === "-") return readStdinBytes(surroundings);
  try {
    return await readFile(file);
  } catch (error) {
    throw new CommandError(
      "usage",
      `The ${what} ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      advice,
    );
  }
}
