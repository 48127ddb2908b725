// Effective settings: flags, then the environment, then the file; each value with its origin.
import { CommandError } from "@/cli/exit-codes";
import { readSettings, settingsPath } from "@/cli/settings/settings-file";
import type { OutputForm } from "@/cli/settings/settings-file";
import type { Surroundings } from "@/cli/surroundings";

export const defaultUrl = "http://localhost:3000";

/** The global options as commander parses them. */
export interface GlobalOptions {
  readonly url?: string;
  readonly token?: string;
  readonly config?: string;
  readonly output?: OutputForm;
  readonly columns?: readonly string[];
  readonly utc?: boolean;
  readonly yes?: boolean;
}

export interface Settings {
  readonly file: string;
  readonly url: string;
  readonly urlFrom: string;
  readonly token: string | null;
  readonly tokenFrom: string;
  readonly output: OutputForm;
  readonly columns: readonly string[] | null;
  readonly utc: boolean;
  readonly yes: boolean;
}

/** Removes a trailing slash. Throws CommandError if the text is not a server URL. */
export function serverUrl(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== "" ||
    url.password !== "" ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    throw new CommandError(
      "usage",
      `${text} (${from}) is not the address of a server.`,
      "Give it as https://reclaim.example.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** Checks that the text fits a header; whether the token is valid, only the server knows. Throws CommandError. */
export function apiToken(text: string, from: string): string {
  if (!/^[\x21-\x7e]{1,512}$/.test(text))
    throw new CommandError("usage", `The token (${from}) has characters that no token has.`);
  return text;
}

export async function readAllSettings(
  options: GlobalOptions,
  { environment, home }: Surroundings,
): Promise<Settings> {
  const file = await settingsPath(options.config ?? null, environment, home);
  const stored = await readSettings(file, options.config !== undefined || environment.config !== null);
  const first = (
    flag: string | undefined,
    env: string | null,
    kept: string | undefined,
    names: readonly [string, string],
  ): readonly [string | null, string] =>
    flag !== undefined
      ? [flag, names[0]]
      : env !== null
        ? [env, names[1]]
        : kept !== undefined
          ? [kept, file]
          : [null, "default"];
  const [url, urlFrom] = first(options.url, environment.url, stored.url, ["--url", "RECLAIM_URL"]);
  const [token, tokenFrom] = first(options.token, environment.token, stored.token, [
    "--token",
    "RECLAIM_TOKEN",
  ]);
  return {
    file,
    url: serverUrl(url ?? defaultUrl, urlFrom),
    urlFrom,
    token: token === null ? null : apiToken(token, tokenFrom),
    tokenFrom,
    output: options.output ?? stored.output ?? "table",
    columns: options.columns ?? null,
    utc: options.utc ?? stored.utc ?? false,
    yes: options.yes ?? false,
  };
}
