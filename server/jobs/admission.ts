// Lets waiting hosts begin, and puts the brake on: what is decided about many hosts at once and not about each (docs/cleaning.md#many-hosts-at-once).
import type { Logger } from "pino";
import type { Pool } from "pg";
import { admitHosts, sitesWithQueue } from "@/server/db/hot/fleet/admission";
import { failingSites, readTrips, storeBrakes } from "@/server/db/hot/fleet/brake";
import { notifyWake } from "@/server/db/hot/signal";
import { admit } from "@/server/domain/cleaning/queue/admission";
import { errorLog } from "@/server/jobs/error-log";
import { findBrakes } from "@/server/domain/cleaning/queue/brake";

/** A host that may begin waits this long for its turn to be seen; an idle fleet costs one probe per site. */
const admitEveryMs = 500;
const brakeEveryMs = 10_000;

/** One look at every queue. Returns how many hosts were told to begin. */
export async function admitWaiting(pool: Pool): Promise<number> {
  let told = 0;
  for (const siteId of await sitesWithQueue(pool))
    told += await admitHosts(
      pool,
      siteId,
      ({ waiting, use, policy }) => admit(waiting, use, policy.admission).admitted,
    );
  if (told > 0) await notifyWake(pool);
  return told;
}

/** One look at what failed. Returns the alerts of the brakes that were put on, one for each cause. */
export async function brakeFailing(pool: Pool): Promise<readonly string[]> {
  const alerts: string[] = [];
  for (const { siteId, policy } of await failingSites(pool)) {
    alerts.push(
      ...(await storeBrakes(
        pool,
        siteId,
        findBrakes(await readTrips(pool, siteId, policy.brake.windowMs), policy.brake),
      )),
    );
  }
  if (alerts.length > 0) await notifyWake(pool);
  return alerts;
}

/** Repeats both until the returned function is called and has ended. Any number of processes may do it side by side. */
export function startAdmission(pool: Pool, logger: Logger): () => Promise<void> {
  const stops = [
    repeat(
      admitEveryMs,
      async () => void (await admitWaiting(pool)),
      errorLog(logger, "waiting hosts could not be admitted"),
    ),
    repeat(
      brakeEveryMs,
      async () => {
        for (const message of await brakeFailing(pool))
          logger.warn({ brake: message }, "the brake is on: new starts of a group pause");
      },
      errorLog(logger, "the brake could not be evaluated"),
    ),
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
