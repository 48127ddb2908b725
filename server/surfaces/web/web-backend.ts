// What the console's server code stands on: made by the server program and found by Next's routes, which are bundles of their own.
import type { Logger } from "pino";
import type { ServerConfig } from "@/server/config";
import { LiveFeed } from "@/server/db/live-feed";
import { createDatabase } from "@/server/db/prisma";
import { perProcess } from "@/server/process/process-state";
import type { Backend } from "@/server/usecases/backend";
import { StreamLimit } from "@/server/surfaces/live/stream-limit";
import { RateLimit } from "@/server/surfaces/web/rate-limit";

export interface WebBackend extends Backend {
  readonly config: ServerConfig;
  readonly logger: Logger;
  readonly feed: LiveFeed;
  /** Of live streams, per person. */
  readonly streams: StreamLimit;
  /** Of procedures, per person. */
  readonly rate: RateLimit;
}

/**
 * Makes what the routes of this process find. Its connections are its own: what people ask of the console does not wait for machines, nor
 * they for it. Connects when first used; returns how to end it. Throws when there is one already.
 */
export function openWebBackend(
  config: ServerConfig,
  logger: Logger,
  secrets: WebBackend["secrets"],
): () => Promise<void> {
  const database = createDatabase(config.databaseUrl, {
    max: 10,
    applicationName: `reclaim web ${config.controllerName}`,
  });
  const backend: WebBackend = {
    config,
    logger,
    database,
    secrets,
    fakeHardware: config.fakeHardware,
    feed: new LiveFeed(database, config.databaseUrl, (error) =>
      logger.warn({ err: error }, "the live feed could not be read"),
    ),
    streams: new StreamLimit(),
    rate: new RateLimit({ burst: 400, perSecond: 100, most: 10_000 }),
  };
  if (perProcess("webBackend", () => backend) !== backend)
    throw new Error("this process has the backend of a console already");
  return async () => {
    await backend.feed.close();
    await database.$disconnect();
  };
}

/** The one of this process. Throws where the server program did not make one: nothing else serves the console's pages. */
export function webBackend(): WebBackend {
  return perProcess("webBackend", () => {
    throw new Error("the console is served by dist/server.js only");
  });
}
