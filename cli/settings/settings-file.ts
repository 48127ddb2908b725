// The settings file: located, checked for safe permissions, parsed, and written readable by its owner only.
import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { CommandError } from "@/cli/exit-codes";
import type { Environment } from "@/cli/surroundings";
import { formatDocument } from "@/server/domain/schema-text";

export const outputForms = ["table", "json", "yaml"] as const;
export type OutputForm = (typeof outputForms)[number];

export const fileSettings = z.strictObject({
  url: z.string().min(1).optional(),
  token: z.string().min(1).optional(),
  output: z.enum(outputForms).optional(),
  utc: z.boolean().optional(),
});
export type FileSettings = z.infer<typeof fileSettings>;

const names = ["config.json", "config.yaml", "config.yml"] as const;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw new CommandError(
        "usage",
        `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    },
  );
}

/** The settings file in use, whether or not it exists. Two files in the folder are an error, because it would be unclear which one applies. */
export async function settingsPath(
  given: string | null,
  environment: Environment,
  home: string,
): Promise<string> {
  const named = given ?? environment.config;
  if (named !== null) return named;
  const folder = join(environment.configHome ?? join(home, ".config"), "reclaim");
  const found: string[] = [];
  for (const name of names) if (await exists(join(folder, name))) found.push(join(folder, name));
  const [first, second] = found;
  if (first !== undefined && second !== undefined)
    throw new CommandError(
      "usage",
      `There are two settings files, ${first} and ${second}.`,
      "Remove one of them, or name one with --config.",
    );
  return first ?? join(folder, names[0]);
}

const isYaml = (path: string): boolean => /^\.ya?ml$/i.test(extname(path));

function parseSettings(path: string, text: string): FileSettings {
  let value: unknown;
  try {
    value = isYaml(path) ? parse(text) : JSON.parse(text);
  } catch (error) {
    throw new CommandError(
      "usage",
      `${path} is not ${isYaml(path) ? "YAML" : "JSON"}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = fileSettings.safeParse(value ?? {}, { error: formatDocument });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CommandError(
    "usage",
    `${path}: ${issue?.path.join(".") ?? ""}${(issue?.path.length ?? 0) > 0 ? ": " : ""}${issue?.message ?? "not valid"}.`,
    "It takes url, token, output and utc.",
  );
}

/** Refuses a file with a token that others can read, as ssh does with keys: the token is no longer secret. @param required a file named explicitly must exist */
export async function readSettings(path: string, required: boolean): Promise<FileSettings> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error) && !required) return {};
    throw new CommandError(
      "usage",
      `The settings ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const settings = parseSettings(path, text);
  // Windows has no such permission bits; a user's folder there is private by default.
  if (
    settings.token !== undefined &&
    process.platform !== "win32" &&
    ((await stat(path)).mode & 0o077) !== 0
  ) {
    throw new CommandError(
      "usage",
      `Others can read ${path}, which holds a token.`,
      `chmod 600 ${path}. If others use this machine, have the token replaced.`,
    );
  }
  return settings;
}

/** Replaces the file atomically, so that an interruption leaves the old one. The file, and a folder created for it, are accessible to the owner only. */
export async function writeSettings(path: string, settings: FileSettings): Promise<void> {
  const text = isYaml(path) ? stringify(settings) : `${JSON.stringify(settings, null, 2)}\n`;
  const fresh = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(fresh, text, { mode: 0o600, flag: "wx" });
  await chmod(fresh, 0o600);
  await rename(fresh, path);
}
