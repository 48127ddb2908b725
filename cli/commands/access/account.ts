// `reclaim login`, `whoami` and `config`: whose token is used, and where it is stored.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { createClient } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { createAsk, interruptedError } from "@/cli/http";
import { apiToken, serverUrl } from "@/cli/settings/settings";
import { fileSettings, readSettings, writeSettings } from "@/cli/settings/settings-file";
import type { FileSettings } from "@/cli/settings/settings-file";
import { openShell, readStdin } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { formatDocument } from "@/server/domain/schema-text";

/** Input without echo. */
async function promptSecret({ stdin, stderr, interrupted }: Surroundings, question: string): Promise<string> {
  const lines = createInterface({
    input: stdin,
    output: new Writable({ write: (_piece, _encoding, done) => done() }),
    terminal: true,
  });
  const gone = new AbortController();
  lines.once("SIGINT", () => gone.abort());
  lines.once("close", () => gone.abort());
  stderr.write(question);
  try {
    return await lines.question("", { signal: AbortSignal.any([interrupted, gone.signal]) });
  } catch {
    throw interruptedError();
  } finally {
    lines.close();
    stderr.write("\n");
  }
}

/** Merges the change into the existing settings. */
async function changeSettings(path: string, change: FileSettings): Promise<void> {
  await writeSettings(path, { ...(await readSettings(path, false)), ...change });
}

function addLogin(program: Command, surroundings: Surroundings): void {
  program
    .command("login")
    .description("checks an API token and stores it, with the server's address, in the settings file")
    .addHelpText(
      "after",
      "\nThe token is asked for, or read from stdin: reclaim login --url https://reclaim.example < token\n",
    )
    .action(async (_options: object, command: Command) => {
      const { settings, printer } = await openShell(command, surroundings, { signedIn: false });
      const given =
        settings.tokenFrom === "--token"
          ? settings.token
          : surroundings.stdin.isTTY === true
            ? await promptSecret(surroundings, `API token for ${settings.url}: `)
            : await readStdin(surroundings);
      const text = given?.trim() ?? "";
      if (text === "") throw new CommandError("usage", "No token was given.");
      const token = apiToken(text, "given");
      const me = await createClient(
        createAsk({ url: settings.url, token }, surroundings.interrupted),
      ).session.me.query();
      await changeSettings(settings.file, { url: settings.url, token });
      printer.say(
        `${me.name} (${me.roleWords}) at ${settings.url}. Kept in ${settings.file}, which only you can read.`,
      );
    });
}

function addWhoami(program: Command, surroundings: Surroundings): void {
  program
    .command("whoami")
    .description(contract.session.me.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer, settings } = await openShell(command, surroundings);
      const { feedPosition: _, pages: __, ...me } = await client.session.me.query();
      printer.show(me, [
        {
          facts: [
            ["name", me.name],
            ["email", me.email],
            ["role", me.roleWords],
            ["tenant", me.tenant === null ? null : `${me.tenant.name} (${me.tenant.org})`],
            ["acts on hosts", me.mayWriteHosts ? "yes" : "no"],
            ["releases", me.mayReleaseInstances ? "yes" : "no"],
            ["server", `${settings.url}, version ${me.version}`],
            ["site", me.siteLabel],
          ],
        },
      ]);
    });
}

const settable = ["url", "token", "output", "utc"] as const;

async function settingOf(name: string, text: string, surroundings: Surroundings): Promise<FileSettings> {
  const given = (text === "-" ? await readStdin(surroundings) : text).trim();
  const parsed = fileSettings.safeParse(
    {
      [name]: name === "utc" && /^(true|false)$/.test(given) ? given === "true" : given,
    },
    { error: formatDocument },
  );
  if (!parsed.success)
    throw new CommandError(
      "usage",
      `${name}: ${parsed.error.issues[0]?.message ?? "not valid"}.`,
      `There are ${settable.join(", ")}.`,
    );
  const { url, token } = parsed.data;
  return {
    ...parsed.data,
    ...(url === undefined ? {} : { url: serverUrl(url, "url") }),
    ...(token === undefined ? {} : { token: apiToken(token, "given") }),
  };
}

function addConfig(program: Command, surroundings: Surroundings): void {
  const config = program.command("config").description("settings: show, set, path");
  config
    .command("show")
    .description("the effective settings, and where each comes from; the token is not shown")
    .action(async (_options: object, command: Command) => {
      const { settings, printer } = await openShell(command, surroundings, { signedIn: false });
      const { url, urlFrom, token, tokenFrom, output, utc, file } = settings;
      printer.show({ url, urlFrom, token: token === null ? null : "set", tokenFrom, output, utc, file }, [
        {
          facts: [
            ["url", `${url} (${urlFrom})`],
            ["token", token === null ? "none" : `set (${tokenFrom})`],
            ["output", output],
            ["utc", utc ? "yes" : "no"],
            ["file", file],
          ],
        },
      ]);
    });
  config
    .command("set")
    .description("stores a setting in the settings file, which only you can read")
    .argument("<name>", settable.join(", "))
    .argument("<value>", "- reads from stdin; use it for the token")
    .action(async (name: string, text: string, _options: object, command: Command) => {
      const { settings, printer } = await openShell(command, surroundings, { signedIn: false });
      await changeSettings(settings.file, await settingOf(name, text, surroundings));
      printer.say(`${name} is stored in ${settings.file}.`);
    });
  config
    .command("path")
    .description("the file of settings")
    .action(async (_options: object, command: Command) => {
      const { settings, printer } = await openShell(command, surroundings, { signedIn: false });
      printer.text(`${settings.file}\n`);
    });
}

export function addAccount(program: Command, surroundings: Surroundings): void {
  addLogin(program, surroundings);
  addWhoami(program, surroundings);
  addConfig(program, surroundings);
}
