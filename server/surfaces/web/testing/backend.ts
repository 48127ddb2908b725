// The backend of the console's routes, for tests that call one of them without a server.
import pino from "pino";
import { loadServerConfig } from "@/server/config";
import { LiveFeed } from "@/server/db/feed/live-feed";
import { StreamLimit } from "@/server/surfaces/live/stream-limit";
import { RateLimit } from "@/server/surfaces/http/rate-limit";
import type { WebBackend } from "@/server/surfaces/web/web-backend";
import type { World } from "@/server/usecases/testing/world";

/** Signs the sessions of a backend in tests. */
export const sessionSecret = "s".repeat(40);

/** @param settings environment variables besides those that every server needs. The caller must close its `feed`. */
export const openTestBackend = (
  world: World,
  settings: Readonly<Record<string, string>> = {},
): WebBackend => ({
  ...world.backend,
  config: loadServerConfig({
    DATABASE_URL: world.url,
    NEXTAUTH_SECRET: sessionSecret,
    RECLAIM_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    ...settings,
  }),
  logger: pino({ level: "silent" }),
  feed: new LiveFeed(world.backend.database, world.url, () => undefined),
  streams: new StreamLimit(),
  rate: new RateLimit({ burst: 10, perSecond: 10, most: 10 }),
});
