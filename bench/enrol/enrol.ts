// `npm run bench -- --enrol`: a CSV file of unknown hosts with one faulty line: how soon it is checked and answered, and its hosts verified.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { call } from "@/bench/call";
import { figure } from "@/bench/figures";
import type { Section } from "@/bench/figures";
import type { Plan } from "@/bench/release/plan";
import { operatorOf } from "@/bench/release/prepare-fleet";
import type { BenchDatabase } from "@/bench/scale/database";
import { mark } from "@/bench/scale/database";
import { startSystem } from "@/bench/system";
import type { BenchSystem } from "@/bench/system";

export const enrolHosts = 1_000;

const machines = z.object({
  hosts: z.array(
    z.object({
      name: z.string(),
      rack: z.string(),
      slot: z.number(),
      macs: z.array(z.string()),
      bmc: z.object({ address: z.string(), username: z.string() }),
    }),
  ),
});

async function readMachines({ control }: BenchSystem): Promise<z.infer<typeof machines>["hosts"]> {
  if (control === null) throw new Error("there is no simulated fleet");
  const answer = await fetch(`${control.url}/fleet`, {
    headers: { authorization: `Bearer ${control.token}` },
  });
  if (!answer.ok) throw new Error(`the fleet's list was answered ${answer.status}`);
  return machines.parse(await answer.json()).hosts;
}

const enrolled = z.object({ id: z.string().nullable(), enrolled: z.number(), refused: z.number() });
const progress = z.object({ over: z.boolean(), counts: z.record(z.string(), z.number()) });

const asOperator = ({ webUrl, demoLogins }: BenchSystem) => ({ webUrl, token: operatorOf(demoLogins).token });

/** When the last of the hosts entered a state after a given time; null if not all have. */
async function allEntered(
  { client }: BenchDatabase,
  state: string,
  hosts: number,
  since: Date,
): Promise<number | null> {
  const { rows } = await client.query<{ hosts: number; ms: number | null }>(
    `SELECT ${mark} count(DISTINCT host_id)::int AS hosts, (extract(epoch FROM max(at) - $2::timestamptz) * 1000)::float8 AS ms FROM state_history WHERE state = $1`,
    [state, since],
  );
  return rows[0]?.hosts === hosts ? rows[0].ms : null;
}

interface Watched {
  readonly verifyingMs: number;
  readonly verifiedMs: number;
  /** Duration of each progress query. */
  readonly readMs: readonly number[];
}

const limitMs = 300_000;
const everyMs = 500;

/** Polls the progress all the while, like a person who watches. Throws if not every host is verified. */
async function watch(
  system: BenchSystem,
  database: BenchDatabase,
  { id, hosts, since }: { readonly id: string; readonly hosts: number; readonly since: Date },
  signal: AbortSignal,
): Promise<Watched> {
  const readMs: number[] = [];
  const until = performance.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    for (const program of system.programs) program.check();
    const { value, ms } = await call(asOperator(system), "query", "enrolment.get", { id, limit: 200 });
    readMs.push(ms);
    const { counts } = progress.parse(value);
    const verifyingMs = await allEntered(database, "Verifying", hosts, since);
    const verifiedMs = await allEntered(database, "Manageable", hosts, since);
    if (verifyingMs !== null && verifiedMs !== null) return { verifyingMs, verifiedMs, readMs };
    if (performance.now() > until) throw new Error(`no figures: the hosts are at ${JSON.stringify(counts)}`);
    await sleep(everyMs);
  }
}

/** A CSV of the fleet's machines, plus one faulty line. */
const listOf = (fleet: Awaited<ReturnType<typeof readMachines>>): string =>
  [
    "name,bmc_address,bmc_username,rack,slot,macs",
    "wrong,not an address,root,A01,1,",
    ...fleet.map(({ name, bmc, rack, slot, macs }) =>
      [name, bmc.address, bmc.username, rack, slot, macs.join(" ")].join(","),
    ),
  ].join("\n");

/** Throws if a correct line was refused, or if a host was not verified. */
export async function measureEnrolment(
  plan: Plan,
  database: BenchDatabase,
  hosts: number,
  signal: AbortSignal,
  say: (words: string) => void,
): Promise<{ readonly setting: readonly string[]; readonly sections: readonly Section[] }> {
  say(`starting simulator, controller and web for ${hosts} hosts that nobody knows`);
  const system = await startSystem({
    database,
    plan,
    hosts,
    profiles: null,
    signal,
    unknownFleet: true,
  });
  try {
    const list = {
      site: "a",
      csv: listOf(await readMachines(system)),
      credential: { password: system.secrets.bmcPassword },
      goal: "manageable",
      fileName: "hosts.csv",
    };
    say("checking the list");
    const dry = await call(asOperator(system), "mutation", "enrolment.enroll", { ...list, dryRun: true });
    say("enrolling it");
    const since = new Date();
    const sent = await call(asOperator(system), "mutation", "enrolment.enroll", list);
    const { id, ...counts } = enrolled.parse(sent.value);
    if (id === null || counts.enrolled !== hosts || counts.refused !== 1)
      throw new Error(`no figures: the list was answered ${JSON.stringify(counts)}`);
    const { verifyingMs, verifiedMs, readMs } = await watch(system, database, { id, hosts, since }, signal);
    const budget = { most: 60 };
    return {
      setting: [
        `${hosts} hosts in one CSV file of ${Math.round(list.csv.length / 1024)} KiB with one wrong line, sent to the console's API; nothing but name, BMC, place and MACs was known of them.`,
        "Times from the request to the database's own time of each state; the progress was read every half second meanwhile.",
      ],
      sections: [
        {
          title: `Enrolment of ${hosts} hosts`,
          figures: [
            figure("dry run", dry.ms, "ms"),
            figure("answer to the list", sent.ms, "ms"),
            figure("until the last host is in Verifying", verifyingMs / 1000, "s", { budget }),
            figure("until the last host is verified", verifiedMs / 1000, "s"),
            figure("longest reading of the progress", Math.max(...readMs), "ms"),
          ],
        },
      ],
    };
  } finally {
    await system.stop();
  }
}
