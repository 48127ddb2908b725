// What the console's server code depends on: made by the server program, and found by Next's routes, which are separate bundles.
import type { Logger } from "pino";
import type { ServerConfig } from "@/server/config";
import { givenToProcess } from "@/server/process/process-state";
import type { Backend } from "@/server/usecases/backend";
import type { ChangeFeed } from "@/server/usecases/hosts/follow-changes";
import { StreamLimit } from "@/server/surfaces/live/stream-limit";
import { RateLimit } from "@/server/surfaces/http/rate-limit";

export interface WebBackend extends Backend {
  readonly config: ServerConfig;
  readonly logger: Logger;
  readonly feed: ChangeFeed;
  /** Limits live streams per person. */
  readonly streams: StreamLimit;
  /** Limits procedures per person. */
  readonly rate: RateLimit;
}

const given = givenToProcess<WebBackend>("console's backend");

/**
 * Makes the backend for the routes of this process, with database connections of its own, so that the console does not wait for machines, nor
 * they for it. Throws if there already is one.
 */
export function openWebBackend(parts: Omit<WebBackend, "streams" | "rate">): WebBackend {
  const backend: WebBackend = {
    ...parts,
    publicUrl: parts.config.baseUrl,
    readsBmcHealth: parts.config.bmcHealthMs > 0,
    streams: new StreamLimit(),
    rate: new RateLimit({ burst: 400, perSecond: 100, most: 10_000 }),
  };
  given.give(backend);
  return backend;
}

/** The backend of this process. Throws if the server program did not make one: nothing else serves the console's pages. */
export const webBackend = given.get;
