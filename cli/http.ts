// Requests to the server: adds the token, and turns failures into errors that say what to do.
import { z } from "zod";
import { CommandError } from "@/cli/exit-codes";
import type { Exit } from "@/cli/exit-codes";
import { pause } from "@/cli/live/pause";
import type { Settings } from "@/cli/settings/settings";

/** Timeout: counting a large fleet takes a while, but nobody waits longer than this. */
const answerWithinMs = 120_000;

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const codeOf = (error: unknown): string | null => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof AggregateError) return codeOf(cause.errors[0]);
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null;
};

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name lookup failed",
  ECONNRESET: "the connection broke",
  UND_ERR_SOCKET: "the connection broke",
  ETIMEDOUT: "no answer in time",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "no route to host",
};

const certificate = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/;

export function unreachable(url: string, error: unknown): CommandError {
  const code = codeOf(error) ?? "";
  const reason =
    reasons[code] ??
    (error instanceof Error
      ? error.cause instanceof Error
        ? error.cause.message
        : error.message
      : String(error));
  const advice = certificate.test(code)
    ? "If its certificate is from your own authority, set NODE_EXTRA_CA_CERTS to that authority's certificate."
    : "Check that the server is running and that the address is right. It comes from --url, RECLAIM_URL or the settings: `reclaim config show`.";
  return new CommandError("unreachable", `${url} does not respond: ${reason}.`, advice);
}

/** The exit code for responses without a more specific error. */
export function exitOfStatus(status: number): Exit {
  if (status === 401 || status === 403) return "forbidden";
  if (status === 404) return "notFound";
  if (status === 409) return "notNow";
  if (status === 502 || status === 503 || status === 504) return "unreachable";
  return "failed";
}

const problem = z.object({ detail: z.string() });

/** The server's reason for not providing a file. */
export async function refusedBy(response: Response): Promise<CommandError> {
  const told = problem.safeParse(await response.json().catch(() => null));
  const detail = told.success ? told.data.detail : `The server responded with status ${response.status}.`;
  return new CommandError(response.status === 400 ? "usage" : exitOfStatus(response.status), detail);
}

export const interruptedError = (): CommandError => new CommandError("interrupted", "Interrupted.");

/** Rate limited: the server did nothing, and a retry will succeed. Bulk acts reach the limit. */
const tooMany = 429;
const againAfterMs = 500;
const maxAsked = 60;

/**
 * Sends requests to the configured server, and returns every response whatever its status. Throws CommandError if there is no response,
 * and for a redirect: the token is for this server only, so its owner must configure the new address.
 */
export function createAsk(
  { url, token }: Pick<Settings, "url" | "token">,
  interrupted: AbortSignal,
  limitMs: number | null = answerWithinMs,
): Ask {
  const once: Ask = async (path, init = {}) => {
    const limit = limitMs === null ? [] : [AbortSignal.timeout(limitMs)];
    const headers = new Headers(init.headers);
    if (token !== null) headers.set("authorization", `Bearer ${token}`);
    headers.set("user-agent", "reclaim");
    let response: Response;
    try {
      response = await fetch(`${url}${path}`, {
        ...init,
        headers,
        redirect: "manual",
        signal: AbortSignal.any([interrupted, ...limit, ...(init.signal == null ? [] : [init.signal])]),
      });
    } catch (error) {
      if (interrupted.aborted) throw interruptedError();
      if (limit.some(({ aborted }) => aborted))
        throw new CommandError("unreachable", `${url} does not respond within ${answerWithinMs / 1000} s.`);
      throw unreachable(url, error);
    }
    if (response.status >= 300 && response.status < 400) {
      throw new CommandError(
        "unreachable",
        `${url} redirects to: ${response.headers.get("location") ?? "no location given"}.`,
        "If you trust that address, give it as --url.",
      );
    }
    return response;
  };
  return async (path, init) => {
    for (let asked = 1; ; asked += 1) {
      const response = await once(path, init);
      if (response.status !== tooMany || limitMs === null || asked === maxAsked) return response;
      await response.body?.cancel();
      await pause(againAfterMs, interrupted);
      if (interrupted.aborted) throw interruptedError();
    }
  };
}
