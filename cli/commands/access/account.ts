// `reclaim login`, `whoami` and `config`: whose token is used, and where it is stored.
import { z } from "zod";
import { record } from "@/server/contract/define";
import { contract } from "@/server/contract/contract";
import { createClient } from "@/cli/client";
import { command } from "@/cli/define/command";
import { arg } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { createAsk } from "@/cli/http";
import { promptSecret } from "@/cli/prompt-secret";
import { apiToken, serverUrl } from "@/cli/settings/settings";
import { fileSettings, readSettings, writeSettings } from "@/cli/settings/settings-file";
import type { FileSettings } from "@/cli/settings/settings-file";
import { readStdin } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { formatDocument } from "@/server/domain/schema-text";

/** Merges the change into the existing settings. */
async function changeSettings(path: string, change: FileSettings): Promise<void> {
  await writeSettings(path, { ...(await readSettings(path, false)), ...change });
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

export const account = [
  command("login", {
    title: "checks an API token and stores it, with the server's address, in the settings file",
    uses: ["session.me"],
    signedIn: false,
    note: "The token is asked for, or read from stdin.",
    examples: ["login --url https://reclaim.example < token"],
    run: async ({ settings, printer, surroundings }) => {
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
        `${me.name} (${me.roleWords}) at ${settings.url}. Saved to ${settings.file}, which only you can read.`,
      );
    },
  }),
  command("whoami", {
    title: contract.session.me.title,
    uses: ["session.me"],
    shape: contract.session.me.output,
    run: async ({ client, printer, settings }) => {
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
    },
  }),
  command("config show", {
    title: "the effective settings, and where each comes from; the token is not shown",
    signedIn: false,
    shape: record({
      url: z.string(),
      urlFrom: z.string(),
      token: z.literal("set").nullable(),
      tokenFrom: z.string().nullable(),
      output: z.string(),
      utc: z.boolean(),
      file: z.string(),
    }),
    run: ({ settings, printer }) => {
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
    },
  }),
  command("config set", {
    title: "stores a setting in the settings file, which only you can read",
    signedIn: false,
    args: {
      name: arg("<name>", settable.join(", ")),
      value: arg("<value>", "- reads from stdin; use it for the token"),
    },
    run: async ({ settings, printer, surroundings }, { name, value }) => {
      await changeSettings(settings.file, await settingOf(name, value, surroundings));
      printer.say(`${name} is stored in ${settings.file}.`);
    },
  }),
  command("config path", {
    title: "path of the settings file",
    signedIn: false,
    run: ({ settings, printer }) => printer.text(`${settings.file}\n`),
  }),
];
