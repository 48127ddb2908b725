// The one HTTP server's first look at a request: whose it is, and how long its body may be, before anything reads it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyLimitBytes } from "@/server/domain/agents/protocol";
import { clientAddress, clientAddressHeader } from "@/server/surfaces/http/client-address";
import { readWhole, withBody } from "@/server/surfaces/http/counted-body";
import type { AdmitSignIn } from "@/server/surfaces/web/admit-sign-in";
import { isMachineRequest } from "@/server/surfaces/machine/paths";

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface FrontDeps {
  /** The machine surfaces: they limit and count their bodies themselves, each in its own form of an error. */
  readonly machine: RequestListener;
  /** The console; null where this process has none. */
  readonly pages: RequestListener | null;
  /** Asked for each sign-in; left out: all are admitted. */
  readonly admitSignIn?: AdmitSignIn;
  /** Whose `X-Forwarded-For` is believed: CIDRs, or `loopback`. */
  readonly trustedProxies: readonly string[];
}

/** A sign-in is an email and a password; pages take nothing. */
const smallBodyBytes = 16 * 1024;
/** All bodies of the console together that may be on their way in at a time. */
const mostBytesAtOnce = 64 * bodyLimitBytes;
/** How long the rest of a refused body is thrown away, so that a caller that writes reads our answer, before the connection is cut. */
const lingerMs = 2_000;

const pathOf = (url: string): string => url.replace(/[?#].*$/s, "");
/** Only the procedures take long inputs, such as ten thousand hosts. */
const limitOf = (path: string): number => (path.startsWith("/api/trpc/") ? bodyLimitBytes : smallBodyBytes);
const takesBodies = (path: string): boolean => path.startsWith("/api/trpc/") || path.startsWith("/api/auth/");

const refusals = {
  tooLarge: { status: 413, title: "Too large", detail: "The body is larger than this address takes." },
  methodNotAllowed: { status: 405, title: "Method not allowed", detail: "This address is read with GET." },
  unavailable: { status: 503, title: "Not available", detail: "Too many bodies are being received. Repeat the request." },
  busy: { status: 503, title: "Not available", detail: "Too many people sign in at this moment. Try again in a few seconds." },
} as const;

function refuse(response: ServerResponse, code: keyof typeof refusals): void {
  const { status, title, detail } = refusals[code];
  const hint = status === 405 ? { allow: "GET, HEAD" } : status === 503 ? { "retry-after": "1" } : {};
  response.writeHead(status, { "content-type": "application/problem+json", "cache-control": "no-store", ...hint });
  // next-auth's client reads the reason of a refusal from an address.
  const told = code === "busy" ? { url: "http://localhost/signin?error=Busy" } : {};
  response.end(JSON.stringify({ type: `urn:reclaim:problem:${code}`, title, status, detail, code, ...told }));
}

/** Node reads on and throws away what a handler left unread. That ends soon, however much is still to come. */
function cutUnreadRest(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) return;
    const timer = setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, lingerMs);
    request.socket.once("close", () => clearTimeout(timer));
    request.once("end", () => clearTimeout(timer));
  });
}

/** Next's routes see headers only: the address goes with them, and what only a proxy may say does not come from anybody else. */
function markCaller(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const address = clientAddress(request, trustedProxies);
  if (address === clientAddress(request, [])) for (const name of ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"]) delete request.headers[name];
  request.headers[clientAddressHeader] = address;
  return address;
}

/** For both events of a server, `request` and `checkContinue`: a caller that asks before it sends gets its refusal instead of the go-ahead. */
export function createFront({ machine, pages, admitSignIn, trustedProxies }: FrontDeps): RequestListener {
  let receiving = 0;

  const toPages = async (request: IncomingMessage, response: ServerResponse, handle: RequestListener): Promise<void> => {
    const path = pathOf(request.url ?? "/");
    const isReading = request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS";
    if (!isReading && !takesBodies(path)) return refuse(response, "methodNotAllowed");
    const limit = limitOf(path);
    const counted = request.headers["transfer-encoding"] !== undefined;
    // What is declared cannot be exceeded: Node takes no more of a body than its Content-Length.
    const expected = counted ? limit : Number(request.headers["content-length"] ?? 0);
    if (expected > limit) return refuse(response, "tooLarge");
    if (expected > 0 && receiving + expected > mostBytesAtOnce) return refuse(response, "unavailable");
    receiving += expected;
    response.once("close", () => {
      receiving -= expected;
    });
    const address = markCaller(request, trustedProxies);
    if (admitSignIn !== undefined && request.method === "POST" && path.startsWith("/api/auth/")) {
      const leave = await admitSignIn(address);
      if (leave === null) return refuse(response, "busy");
      if (response.closed) return leave();
      response.once("close", leave);
    }
    if (asksFirst(request)) response.writeContinue();
    if (!counted) return handle(request, response);
    const body = await readWhole(request, limit);
    if (body === "tooLong") return refuse(response, "tooLarge");
    if (body !== "gone") handle(withBody(request, body), response);
  };

  return (request, response) => {
    cutUnreadRest(request, response);
    if (pages === null || isMachineRequest(request.url ?? "/", request.headers.accept)) {
      if (asksFirst(request) && Number(request.headers["content-length"] ?? 0) <= bodyLimitBytes) response.writeContinue();
      machine(request, response);
      return;
    }
    toPages(request, response, pages).catch(() => response.destroy());
  };
}

const asksFirst = (request: IncomingMessage): boolean => request.headers.expect?.toLowerCase() === "100-continue";
