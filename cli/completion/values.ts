// Completion values from the server: with a short timeout, cached for half a minute, and never with an error.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { completions, noStoredValues } from "@/server/domain/hosts/completion/filter-completion";
import type { StoredValues } from "@/server/domain/hosts/completion/filter-completion";
import { createClient } from "@/cli/client";
import type { Client } from "@/cli/client";
import type { ValueKind } from "@/cli/completion/place";
import { createAsk } from "@/cli/http";
import type { Settings } from "@/cli/settings/settings";
import type { Surroundings } from "@/cli/surroundings";

/** Timeout: longer than this, nobody waits for Tab. */
const answerWithinMs = 2_000;
const keptMs = 30_000;
const maxNames = 50;

/** Falls back to an empty list: keys, states and causes need no server. */
async function storedValues(client: Client): Promise<StoredValues> {
  try {
    return await client.hosts.filterValues.query();
  } catch {
    return noStoredValues;
  }
}

/** Asks for names with this prefix. */
async function ask(client: Client, kind: ValueKind, current: string): Promise<readonly string[]> {
  const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
  switch (kind) {
    case "host":
      return current === ""
        ? names((await client.hosts.list.query({ sort: "name", descending: false, limit: maxNames })).rows)
        : names(await client.hosts.find.query({ text: current }));
    case "instance":
      return current === ""
        ? names((await client.instances.list.query({ limit: maxNames })).rows)
        : names(await client.instances.find.query({ text: current }));
    case "site":
      return names((await client.cleaning.scopes.query()).sites);
    case "sku":
      return names((await client.cleaning.scopes.query()).skus);
    case "runbook":
      return names(await client.cleaning.runbooks.query());
    case "user":
      return (await client.people.list.query()).map(({ email }) => email);
    case "filter":
      return completions(current, current.length, await storedValues(client)).map(({ filter }) =>
        filter.trimEnd(),
      );
  }
}

const kept = z.record(z.string(), z.object({ until: z.number(), names: z.array(z.string()) }));
type Kept = z.infer<typeof kept>;

async function readKept(file: string, now: number): Promise<Kept> {
  try {
    const all = kept.parse(JSON.parse(await readFile(file, "utf8")));
    return Object.fromEntries(Object.entries(all).filter(([, { until }]) => until > now));
  } catch {
    return {}; // no cache yet, or not our file
  }
}

/** Names of a kind that start with what is typed. Empty if the server cannot be reached: completion must not print errors. */
export async function valuesOf(
  kind: ValueKind,
  current: string,
  settings: Settings,
  { environment, home, now, interrupted }: Surroundings,
): Promise<readonly string[]> {
  const folder = join(environment.variable("XDG_CACHE_HOME") ?? join(home, ".cache"), "reclaim");
  const file = join(folder, "names.json");
  const at = now().getTime();
  const key = createHash("sha256")
    .update(JSON.stringify([settings.url, settings.token, kind, current]))
    .digest("hex");
  const before = await readKept(file, at);
  const known = before[key];
  if (known !== undefined) return known.names;
  try {
    const names = await ask(createClient(createAsk(settings, interrupted, answerWithinMs)), kind, current);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify({ ...before, [key]: { until: at + keptMs, names } }), {
      mode: 0o600,
    });
    return names;
  } catch {
    return [];
  }
}
