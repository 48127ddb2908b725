// Lets waiting hosts begin, and puts the brake on: what is decided about many hosts at once and not about each (docs/cleaning.md#many-hosts-at-once).
import type { Logger } from "pino";
import type { Pool } from "pg";
import { admitHosts, sitesWithQueue } from "@/server/db/hot/fleet/admission";
import {
  askFirst,
  failingSites,
  readCleanings,
  readShare,
  storeBrakes,
  undecidedSites,
  wakeHeldByNarrowed,
} from "@/server/db/hot/fleet/brake";
import { notifyWake } from "@/server/db/hot/signal";
import { admit } from "@/server/domain/cleaning/queue/admission";
import { errorLog } from "@/server/jobs/error-log";
import { failuresOf, findBrakes, formatQuestion, suspects } from "@/server/domain/cleaning/queue/brake";
import type { FoundBrake } from "@/server/domain/cleaning/queue/brake";
import { withTransaction } from "@/server/db/connection";
import { sqlOn } from "@/server/db/sql";
import { announce } from "@/server/usecases/break-fix/announce";

/** A host that may begin waits this long for its turn to be seen; an idle fleet costs one probe per site. */
const admitEveryMs = 500;
const brakeEveryMs = 10_000;
/** Only for hosts that a controller of 0.2.0 held, so it is due seldom. */
const lookAgainEveryMs = 5 * 60_000;

type Failed = (error: unknown) => void;

/** One look at every queue. Returns how many hosts were told to begin. A site that fails holds up no other. */
export async function admitWaiting(pool: Pool, failed: Failed): Promise<number> {
  let told = 0;
  for (const siteId of await sitesWithQueue(pool))
    told += await admitHosts(
      pool,
      siteId,
      ({ waiting, use, policy }) => admit(waiting, use, policy.admission).admitted,
    ).catch((error: unknown) => {
      failed(error);
      return 0;
    });
  if (told > 0) await notifyWake(pool);
  return told;
}

/** One look at what failed. Returns the alerts of the brakes that were put on, one for each cause. A site that fails leaves no other without its brake. */
export async function brakeFailing(pool: Pool, failed: Failed): Promise<readonly string[]> {
  const alerts: string[] = [];
  for (const { siteId, readPolicy } of await failingSites(pool)) {
    try {
      const { brake } = readPolicy();
      const trips = await readCleanings(pool, siteId, brake.windowMs);
      const suspected = suspects(trips, brake);
      if (suspected.length === 0) continue;
      const share = await readShare(pool, siteId, suspected);
      alerts.push(...(await engage(pool, siteId, failuresOf(trips, findBrakes(trips, brake, share)))));
    } catch (error) {
      failed(error);
    }
  }
  // A brake that left a SKU its Ready hosts may hold back all that is left of it later.
  for (const siteId of await undecidedSites(pool))
    alerts.push(
      ...(await engage(pool, siteId, []).catch((error: unknown) => {
        failed(error);
        return [];
      })),
    );
  if (alerts.length > 0) await notifyWake(pool);
  return alerts;
}

/** Wakes the hosts that wait for a narrowed brake. Returns how many. */
export async function lookAgainAtNarrowed(pool: Pool): Promise<number> {
  const woken = await wakeHeldByNarrowed(pool);
  if (woken > 0) await notifyWake(pool);
  return woken;
}

/** Puts brakes on, and asks about those that would leave a SKU without capacity; both are told to the provider's webhooks in the same transaction. */
async function engage(
  pool: Pool,
  siteId: string,
  found: readonly (FoundBrake & { readonly failures: readonly string[] })[],
): Promise<readonly string[]> {
  return withTransaction(pool, async (client) => {
    const engaged = await storeBrakes(client, siteId, found);
    const asking = await askFirst(client, siteId);
    const asked = new Set(asking.map(({ message }) => message));
    for (const message of engaged.filter((each) => !asked.has(each)))
      await announce(sqlOn(client), { kind: "brake.engaged", provider: { siteId, message }, tenants: [] });
    for (const { dimension, value, message, asks } of asking)
      await announce(sqlOn(client), {
        kind: "brake.asks",
        provider: { siteId, dimension, value, message, skus: asks },
        tenants: [],
      });
    return [
      ...engaged.filter((each) => !asked.has(each)),
      ...asking.map(({ message, asks }) => formatQuestion(message, asks)),
    ];
  });
}

/** Repeats all of it until the returned function is called and has ended. Any number of processes may do it side by side. */
export function startAdmission(pool: Pool, logger: Logger): () => Promise<void> {
  const notAdmitted = errorLog(logger, "waiting hosts could not be admitted");
  const notBraked = errorLog(logger, "the brake could not be evaluated");
  const notWoken = errorLog(logger, "hosts that wait for a narrowed brake could not be woken");
  const stops = [
    repeat(admitEveryMs, async () => void (await admitWaiting(pool, notAdmitted)), notAdmitted),
    repeat(
      brakeEveryMs,
      async () => {
        for (const message of await brakeFailing(pool, notBraked))
          logger.warn({ brake: message }, "a brake is on, or asks whether it should be");
      },
      notBraked,
    ),
    repeat(lookAgainEveryMs, async () => void (await lookAgainAtNarrowed(pool)), notWoken),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Runs `work` again `ms` after it has ended, so that a slow one never runs twice at a time. */
function repeat(
  ms: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const over = new AbortController();
  const run = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await work().catch(failed);
      await new Promise<void>((done) => {
        if (over.signal.aborted) return done();
        const timer = setTimeout(done, ms);
        over.signal.addEventListener(
          "abort",
          () => {
            clearTimeout(timer);
            done();
          },
          { once: true },
        );
      });
    }
  };
  const running = run();
  return () => {
    over.abort();
    return running;
  };
}
