// `npm run bench -- --guard COMMIT`: this checkout and an earlier commit release hosts in turns, so that both meet the machine in the same state.
import { guardSections } from "@/bench/guard/guard-report";
import type { Pair } from "@/bench/guard/guard-report";
import { builtCheckout, commitId } from "@/bench/guard/checkout";
import type { Section } from "@/bench/figures";
import type { Plan } from "@/bench/release/plan";
import { claimReady, prepareFleet, readLogins, untilAssigned } from "@/bench/release/prepare-fleet";
import type { OpenInstance } from "@/bench/release/prepare-fleet";
import { measureRelease } from "@/bench/release/release";
import type { Measured } from "@/bench/release/release";
import { openDatabase } from "@/bench/scale/database";
import type { BenchDatabase } from "@/bench/scale/database";
import { startSystem } from "@/bench/system";
import type { BenchSystem } from "@/bench/system";

export const guardHosts = 100;
/** Before them comes one pair that is not counted: caches fill, and code is compiled. */
const pairsCounted = 12;

interface Side {
  readonly database: BenchDatabase;
  readonly system: BenchSystem;
  instances: readonly OpenInstance[];
}

interface Scene {
  readonly plan: Plan;
  readonly hosts: number;
  readonly signal: AbortSignal;
  readonly say: (words: string) => void;
}

async function prepare(
  database: BenchDatabase,
  checkout: string | undefined,
  { plan, hosts, signal, say }: Scene,
): Promise<Side> {
  const system = await startSystem({ database, plan, hosts, checkout, profiles: null, signal });
  try {
    return {
      database,
      system,
      instances: await prepareFleet(database.client, system, plan, hosts, signal, say),
    };
  } catch (error) {
    await system.stop();
    throw error;
  }
}

/** Releases all hosts of one side, and claims them again for its next turn. */
async function turn(side: Side, place: number, { plan, hosts, signal }: Scene): Promise<Measured> {
  const { database, system } = side;
  const known = readLogins(system.demoLogins);
  const measured = await measureRelease(database, system, plan, known, side.instances, signal);
  await claimReady(database.client, system, `turn-${place}`);
  side.instances = await untilAssigned(database.client, system, plan, hosts, signal);
  return measured;
}

async function pairs(old: Side, now: Side, scene: Scene): Promise<readonly Pair[]> {
  const counted: Pair[] = [];
  for (let place = 0; place <= pairsCounted; place++) {
    scene.say(`pair ${place} of ${pairsCounted}`);
    // The one that begins changes, so that neither always follows the other.
    const first = place % 2 === 0 ? old : now;
    const begun = await turn(first, place, scene);
    const followed = await turn(first === old ? now : old, place, scene);
    if (place > 0)
      counted.push(first === old ? { old: begun, now: followed } : { old: followed, now: begun });
  }
  return counted;
}

/** @param database of this checkout; the earlier commit gets one of its own */
export async function measureGuard(
  commit: string,
  scene: Scene,
  database: BenchDatabase,
): Promise<{ readonly setting: readonly string[]; readonly sections: readonly Section[] }> {
  const { say, signal, hosts } = scene;
  const id = commitId(commit);
  say(`installing and building ${commit}, if that was not done before`);
  const checkout = await builtCheckout(id, signal);
  const earlier = await openDatabase(process.env.DATABASE_URL, checkout);
  const started: Side[] = [];
  try {
    say(`starting both systems with ${hosts} hosts each`);
    const old = await prepare(earlier, checkout, scene);
    started.push(old);
    const now = await prepare(database, undefined, scene);
    started.push(now);
    const measured = await pairs(old, now, scene);
    return {
      setting: [
        `Old: ${id.slice(0, 8)}. Both systems run all the time, each with ${hosts} hosts; ${pairsCounted} pairs of turns in changing order.`,
      ],
      sections: guardSections(measured),
    };
  } finally {
    for (const { system } of started) await system.stop();
    await earlier.close();
  }
}
