// `npm run bench -- --scale`: the server's cost of the console's first pages and an Ironic client's reads with 10,000 hosts, without and with history.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ConsoleClient } from "@/bench/console/console-client";
import type { BenchDatabase } from "@/bench/scale/database";
import { budgets } from "@/bench/figures";
import type { Budget, Figure, Section } from "@/bench/figures";
import { measureNodes } from "@/bench/release/node-reads";
import type { Plan } from "@/bench/release/plan";
import { operatorOf } from "@/bench/release/prepare-fleet";
import { fleetSize, historySize, insertFleet, insertHistory } from "@/bench/scale/scale-fixture";
import { startSystem } from "@/bench/system";

interface Call {
  readonly name: string;
  readonly procedure: string;
  readonly input: object | undefined;
  readonly budget: Budget | null;
  /** Throws if the answer does not cover the whole fleet. */
  readonly check: (json: unknown) => void;
}

const list = z.object({ rows: z.array(z.unknown()).length(100) });
const fleet = z.object({ hosts: z.literal(fleetSize) });

const calls: readonly Call[] = [
  {
    name: "Hosts, first page",
    procedure: "hosts.list",
    input: { filter: "", sort: "since", descending: true, limit: 100 },
    budget: budgets.hostsPageMs,
    check: (json) => list.parse(json),
  },
  {
    name: "Hosts, filtered by state",
    procedure: "hosts.list",
    input: { filter: "is:ready", sort: "name", descending: false, limit: 100 },
    budget: budgets.hostsPageMs,
    check: (json) => list.parse(json),
  },
  {
    name: "Fleet",
    procedure: "fleet.summary",
    input: undefined,
    budget: budgets.fleetMs,
    check: (json) => fleet.parse(json),
  },
];

/** Longer than any server cache lives, so that every call is computed anew, as for the first reader. */
const cachesAgeMs = 5_200;
const coldCalls = 5;

async function measureCalls(client: ConsoleClient, when: string): Promise<readonly Figure[]> {
  for (const call of calls) call.check((await client.query(call.procedure, call.input)).json); // a process's first call loads code
  const times = new Map<string, number[]>(calls.map(({ name }) => [name, []]));
  for (let round = 0; round < coldCalls; round += 1) {
    await sleep(cachesAgeMs);
    for (const call of calls) {
      const { ms, json } = await client.query(call.procedure, call.input);
      call.check(json);
      times.get(call.name)?.push(ms);
    }
  }
  return calls.map(({ name, budget }) => {
    const sorted = [...(times.get(name) ?? [])].sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? null;
    return {
      name: `${name}, ${when}`,
      value: sorted.at(-1) ?? null,
      unit: "ms",
      budget,
      note: `slowest of ${sorted.length}, caches cold; median ${middle === null ? "–" : middle.toFixed(1)} ms`,
    };
  });
}

export async function measureScale(
  plan: Plan,
  database: BenchDatabase,
  signal: AbortSignal,
  say: (words: string) => void,
): Promise<{ readonly setting: readonly string[]; readonly sections: readonly Section[] }> {
  const system = await startSystem({ database, plan, hosts: 0, profiles: null, signal });
  try {
    say(`writing ${fleetSize} hosts of test data`);
    await insertFleet(database.client);
    const client = await ConsoleClient.signIn(system.webUrl, system.demoLogins);
    const { token } = operatorOf(system.demoLogins);
    const without = await measureCalls(client, "no history");
    const nodesWithout = await measureNodes(system.webUrl, token, "no history");
    say(`writing ${historySize.states} states and ${historySize.reclamations} reclamations of test data`);
    await insertHistory(database.client);
    const withHistory = await measureCalls(client, "with history");
    const nodesWith = await measureNodes(system.webUrl, token, "with history");
    return {
      setting: [
        `${fleetSize} hosts of test data written by SQL (\`bench/scale/scale-fixture.ts\`), of a hundred 60 in use, 25 Ready, 10 being cleaned, 2 queued, 2 failed, 1 with the provider.`,
        `History: ${historySize.states} states and ${historySize.reclamations} reclamations with three step runs each, over ${historySize.days} days.`,
        "Measured from the client over HTTP on loopback: the procedures as the console calls them, with a signed-in session; nodes as an Ironic client reads them, with a token.",
      ],
      sections: [
        { title: "First pages of the console", figures: [...without, ...withHistory] },
        { title: "Nodes of the Ironic API", figures: [...nodesWithout, ...nodesWith] },
      ],
    };
  } finally {
    await system.stop();
  }
}
