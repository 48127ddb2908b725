// What is done every minute or hour: the fleet is counted for its history, erases are added up by drive model, and thrown away is what is past its time: requests for changes of sites, rows of the live feed that no
// position can ask for any more, previews that nobody started, and records past their retention.
import type { Logger } from "pino";
import { pruneBulkPreviews } from "@/server/db/bulk-previews";
import { pruneFeed } from "@/server/db/feed/live-feed";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { pruneEvidence } from "@/server/db/evidence/prune";
import type { Database } from "@/server/db/prisma";
import { pruneRecords } from "@/server/db/retention";
import { sampleFleet } from "@/server/db/fleet-samples";
import { tallyErases } from "@/server/db/drive-models";
import { pruneSignIns } from "@/server/db/sign-in-counts";
import { voidExpiredChanges } from "@/server/usecases/assurance/policy-changes/outdated";
import { ownAddressDays, signInLimits } from "@/server/domain/access/sign-in-limits";

const everyMs = 60_000;
const recordsEveryMs = 3_600_000;

/**
 * Begins at once and repeats until the returned function is called, which resolves when what is under way has ended.
 * Any number of processes may do it side by side.
 * @param keepDays of `RECLAIM_KEEP_DAYS`
 * @param stores where files of evidence are, by place
 */
export function startHousekeeping(
  database: Database,
  logger: Logger,
  keepDays: number,
  stores: (place: string) => BlobStore | undefined,
): () => Promise<void> {
  let records: Promise<void> = Promise.resolve();
  const work = (): void => {
    pruneFeed(database).catch((error: unknown) =>
      logger.warn({ err: error }, "the live feed could not be pruned"),
    );
    pruneBulkPreviews(database).catch((error: unknown) =>
      logger.warn({ err: error }, "old previews could not be removed"),
    );
    sampleFleet(database).catch((error: unknown) =>
      logger.warn({ err: error }, "the fleet could not be counted for its history"),
    );
    tallyErases(database).catch((error: unknown) =>
      logger.warn({ err: error }, "erases could not be added up by drive model"),
    );
    voidExpiredChanges(database).catch((error: unknown) =>
      logger.warn({ err: error }, "expired requests for changes of sites could not be voided"),
    );
    pruneSignIns(database, signInLimits.windowMs, ownAddressDays).catch((error: unknown) =>
      logger.warn({ err: error }, "old counts of sign-ins could not be removed"),
    );
  };
  const prune = async (): Promise<void> => {
    const removed = [...(await pruneRecords(database, keepDays))].filter(([, rows]) => rows > 0);
    if (removed.length > 0)
      logger.info({ removed: Object.fromEntries(removed), keepDays }, "old records were removed");
    const files = await pruneEvidence(database, stores);
    if (files > 0) logger.info({ files }, "files of evidence that nothing rests on were removed");
  };
  const pruneAfterLast = (): void => {
    records = records
      .then(prune)
      .catch((error: unknown) => logger.warn({ err: error }, "old records could not be removed"));
  };
  work();
  pruneAfterLast();
  const timers = [setInterval(work, everyMs), setInterval(pruneAfterLast, recordsEveryMs)];
  return () => {
    for (const timer of timers) clearInterval(timer);
    return records;
  };
}
