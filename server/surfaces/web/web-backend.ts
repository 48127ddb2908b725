// What the console's server code stands on: made by the server program and found by Next's routes, which are bundles of their own.
import type { Logger } from "pino";
import type { ServerConfig } from "@/server/config";
import { perProcess } from "@/server/process/process-state";
import type { Backend } from "@/server/usecases/backend";
import type { ChangeFeed } from "@/server/usecases/live/follow-changes";
import { StreamLimit } from "@/server/surfaces/live/stream-limit";
import { RateLimit } from "@/server/surfaces/web/rate-limit";

export interface WebBackend extends Backend {
  readonly config: ServerConfig;
  readonly logger: Logger;
  readonly feed: ChangeFeed;
  /** Of live streams, per person. */
  readonly streams: StreamLimit;
  /** Of procedures, per person. */
  readonly rate: RateLimit;
}

/**
 * Makes what the routes of this process find, with a database of its own: what people ask of the console does not wait for machines, nor
 * they for it. Throws when there is one already.
 */
export function openWebBackend(parts: Omit<WebBackend, "streams" | "rate">): WebBackend {
  const backend: WebBackend = {
    ...parts,
    publicUrl: parts.config.baseUrl,
    streams: new StreamLimit(),
    rate: new RateLimit({ burst: 400, perSecond: 100, most: 10_000 }),
  };
  if (perProcess("webBackend", () => backend) !== backend)
    throw new Error("this process has the backend of a console already");
  return backend;
}

/** The one of this process. Throws where the server program did not make one: nothing else serves the console's pages. */
export function webBackend(): WebBackend {
  return perProcess("webBackend", () => {
    throw new Error("the console is served by dist/server.js only");
  });
}
