// `npm run bench -- --ironic`: nodes of type fake over the Ironic API, with the client script that also times a real Ironic (`bench/ironic/ironic-client.mjs`).
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { pinnedNode, root } from "@/scripts/folders.mjs";
import { countsBetween, readCounts, resetStatementCosts, statementCosts } from "@/bench/scale/database";
import type { BenchDatabase } from "@/bench/scale/database";
import type { Section } from "@/bench/figures";
import { ironicSections } from "@/bench/ironic/ironic-report";
import type { Plan } from "@/bench/release/plan";
import { setPolicy } from "@/bench/release/prepare-fleet";
import { costSection } from "@/bench/release/release-report";
import { startSystem } from "@/bench/system";
import type { BenchSystem } from "@/bench/system";

const time = z.number().nullable();
const times = z.object({ name: z.string(), count: z.number(), p50Ms: time, p99Ms: time });

/** The client's output with `--json`. */
export const clientResult = z.object({
  hosts: z.number(),
  inFlight: z.number(),
  pollMs: z.number(),
  hostsPerSecond: z.number(),
  locked: z.number(),
  requests: z.array(times),
  lists: z.array(times.extend({ nodes: z.number() })),
  phases: z.array(
    z.object({ name: z.string(), seconds: z.number(), processorMs: z.record(z.string(), z.number()) }),
  ),
});
export type ClientResult = z.infer<typeof clientResult>;

const defaultHosts = 1_000;
const warmUpHosts = 100;

/** Runs the client to its end. Throws with its output if it fails. */
function runClient(args: readonly string[], signal: AbortSignal): Promise<ClientResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(pinnedNode, [join(root, "bench", "ironic", "ironic-client.mjs"), "--json", ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      signal,
    });
    let [said, complained] = ["", ""];
    child.stdout.on("data", (part: Buffer) => (said += part.toString("utf8")));
    child.stderr.on("data", (part: Buffer) => (complained += part.toString("utf8")));
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0
        ? resolve(clientResult.parse(JSON.parse(said)))
        : reject(new Error(`the client ended with ${code}: ${complained.trim()}`)),
    );
  });
}

function pidsOf(system: BenchSystem, { postmaster }: BenchDatabase): readonly string[] {
  const pids = {
    web: system.web.pid,
    controller: system.controller.pid,
    ...(postmaster === null ? {} : { database: postmaster }),
  };
  return Object.entries(pids).flatMap(([name, pid]) => ["--pid", `${name}=${pid}`]);
}

export async function measureIronic(
  options: { readonly hosts: number | null; readonly profile: boolean; readonly statements: boolean },
  plan: Plan,
  database: BenchDatabase,
  signal: AbortSignal,
  say: (words: string) => void,
): Promise<{ readonly setting: readonly string[]; readonly sections: readonly Section[] }> {
  const hosts = options.hosts ?? defaultHosts;
  const profiles = options.profile ? join(root, ".reclaim", "bench") : null;
  if (profiles !== null) mkdirSync(profiles, { recursive: true });
  say("starting controller and web");
  const system = await startSystem({
    database,
    plan,
    hosts: 0,
    profiles,
    signal,
    server: { RECLAIM_ENABLE_FAKE: "1", RECLAIM_IRONIC_NOAUTH: "1" },
  });
  try {
    await setPolicy(database.client, plan);
    say(`a few nodes first, so that code and statements are loaded; then ${hosts}`);
    await runClient(["--url", system.webUrl, "--hosts", String(warmUpHosts)], signal);
    await resetStatementCosts(database);
    const before = await readCounts(database);
    const result = await runClient(
      ["--url", system.webUrl, "--hosts", String(hosts), ...pidsOf(system, database)],
      signal,
    );
    for (const program of system.programs) program.check();
    const after = await readCounts(database);
    const costs = options.statements ? [costSection(await statementCosts(database, 12), hosts)] : [];
    if (profiles !== null) say(`profiles, of the whole run, are written to ${profiles}`);
    return {
      setting: [
        "Hosts of type `fake`: nothing stands behind them, and an automated clean is two steps that do nothing (docs/adr/0015-fake-hardware.md).",
        `\`bench/ironic/ironic-client.mjs\` on the same cores: ${hosts} nodes with driver fake-hardware, ${result.inFlight} requests in flight, without sign-in, states polled by a list every ${result.pollMs} ms. ${warmUpHosts} nodes went the same way before.`,
      ],
      sections: [...ironicSections(result, countsBetween(before, after)), ...costs],
    };
  } finally {
    await system.stop();
  }
}
