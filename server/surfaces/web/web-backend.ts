// What the console's server code stands on: made once per process, because Next loads its routes in bundles of their own.
import pino from "pino";
import type { Logger } from "pino";
import { loadServerConfig } from "@/server/config";
import type { ServerConfig } from "@/server/config";
import { LiveFeed } from "@/server/db/live-feed";
import { createDatabase } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secret-box";
import type { Backend } from "@/server/usecases/backend";
import { RateLimit } from "@/server/surfaces/web/rate-limit";

export interface WebBackend extends Backend {
  readonly config: ServerConfig;
  readonly logger: Logger;
  readonly feed: LiveFeed;
  /** Of procedures, per person. */
  readonly rate: RateLimit;
}

declare global {
  // A name that Next's bundles share; `var` is what puts it on globalThis.
  var reclaimWebBackend: WebBackend | undefined;
}

function make(): WebBackend {
  const config = loadServerConfig(process.env);
  const logger = pino({ level: config.logLevel, base: { role: "web", name: config.controllerName } });
  const database = createDatabase(config.databaseUrl, { max: 10, applicationName: `reclaim web ${config.controllerName}` });
  return {
    config,
    logger,
    database,
    secrets: createSecretBox(config.encryptionKey),
    fakeHardware: config.fakeHardware,
    feed: new LiveFeed(database, config.databaseUrl, (error) => logger.warn({ err: error }, "the live feed could not be read")),
    rate: new RateLimit({ burst: 400, perSecond: 100, most: 10_000 }),
  };
}

/** Connects when first used. Throws ConfigError. */
export function webBackend(): WebBackend {
  return (globalThis.reclaimWebBackend ??= make());
}
