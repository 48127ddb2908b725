// What the agent gets from outside: time, randomness, network, tools, log. It uses no globals, so it runs the same on a host and in a simulated fleet.
import type { SiteSteps } from "@/agent/site-steps/site-steps";
import type { SiteTests } from "@/agent/validation/site-tests";
import type { Tools } from "@/agent/tools/tools";

export interface Clock {
  now(): Date;
  /** Ends early, without an error, when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface RandomSource {
  /** Unpredictable bytes, used for seeds. */
  bytes(count: number): Uint8Array;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Path and query, with a leading slash. */
  readonly path: string;
  readonly token: string | null;
  /** JSON text. */
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** One HTTP exchange with the server. Rejects if there is no answer: unreachable, timed out, or the signal fired. */
export type Http = (request: HttpRequest) => Promise<{ readonly status: number; readonly text: string }>;

export type Log = (level: "info" | "warn" | "error", message: string) => void;

export interface Surroundings {
  readonly clock: Clock;
  readonly chance: RandomSource;
  readonly http: Http;
  readonly tools: Tools;
  readonly log: Log;
  /** Steps that a site added to the image. */
  readonly siteSteps?: SiteSteps;
  /** Tests that a site added to the image. */
  readonly siteTests?: SiteTests;
  /** Fires when the program must stop at once, such as on SIGTERM. */
  readonly signal: AbortSignal;
}
