// The first look at a request on an HTTP server: who sends it, and how long its body may be, before anything reads it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyLimitBytes } from "@/server/domain/agents/protocol";
import { maxCheckedBytes } from "@/server/contract/assurance/proof";
import { maxEvidenceBytes } from "@/server/domain/assurance/evidence/file-type";
import { addressGroup } from "@/server/domain/access/sign-in-limits";
import type { SignInError } from "@/server/domain/access/sign-in-errors";
import { hasEncodedNul, unstorableText } from "@/server/domain/storable-text";
import { clientAddress, clientAddressHeader, viaProxyHeader } from "@/server/surfaces/http/client-address";
import type { ConnectionLimit } from "@/server/surfaces/http/connection-limit";
import { bodyTimeMs, ReceivedBytes, readWhole, withBody } from "@/server/surfaces/http/counted-body";
import { defaultLinger, discardRest, hasBody } from "@/server/surfaces/http/linger";
import type { Linger } from "@/server/surfaces/http/linger";
import { refusalPage, wantsPage } from "@/server/surfaces/http/refusal-page";
import type { AdmitSignIn } from "@/server/surfaces/web/admit-sign-in";
import { isMachineRequest } from "@/server/surfaces/machine/paths";

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface FrontDeps {
  /** The machine surfaces. They read their bodies themselves, with the same `received`, after they looked at the token; each has its own error format. */
  readonly machine: RequestListener;
  /** The console; null if this process has none. */
  readonly pages: RequestListener | null;
  /** `/boot` and `/agent` have a listener of their own: here they are addresses like any unknown one. */
  readonly hostsElsewhere?: boolean;
  /** Called for each sign-in; omitted: all are admitted. */
  readonly admitSignIn?: AdmitSignIn;
  /** Proxies whose `X-Forwarded-For` is trusted: CIDRs, or `loopback`. */
  readonly trustedProxies: readonly string[];
  /** The bytes of incomplete bodies, shared with the machine surfaces; omitted: its own. */
  readonly received?: ReceivedBytes;
  /** Omitted: no limit. */
  readonly connections?: ConnectionLimit;
  /** Omitted: `defaultTimes`. */
  readonly times?: FrontTimes;
  /** Omitted: `defaultLinger`. */
  readonly linger?: Linger;
}

/** How long a caller may take, and how long a sign-in may wait for its turn. */
export interface FrontTimes {
  readonly signInBodyMs: number;
  readonly bodyMs: number;
  readonly placeMs: number;
}

const defaultTimes: FrontTimes = { signInBodyMs: 5_000, bodyMs: bodyTimeMs, placeMs: 10_000 };

/** A sign-in is an email and a password; pages accept no body. */
const smallBodyBytes = 16 * 1024;

const pathOf = (url: string): string => url.replace(/[?#].*$/s, "");
/** Files are read by their route, which first checks who sends them, and counts the bytes. */
const uploads = new Map([
  ["/api/evidence", maxEvidenceBytes],
  ["/api/proof/check", maxCheckedBytes],
]);
const isUpload = (path: string): boolean => uploads.has(path);
/** Only the procedures take long inputs, such as ten thousand hosts. */
const limitOf = (path: string): number =>
  uploads.get(path) ?? (path.startsWith("/api/trpc/") ? bodyLimitBytes : smallBodyBytes);
const takesBodies = (path: string): boolean =>
  path.startsWith("/api/trpc/") || path.startsWith("/api/auth/") || path === "/api/demo" || isUpload(path);

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** The error for the sign-in form. */
  readonly signInError?: SignInError;
}

const refusals = {
  tooLarge: {
    status: 413,
    code: "tooLarge",
    title: "Too large",
    detail: "The body is larger than this address accepts.",
  },
  tooSlow: {
    status: 408,
    code: "tooSlow",
    title: "Too slow",
    detail: "The body did not arrive in time. Retry the request.",
  },
  methodNotAllowed: {
    status: 405,
    code: "methodNotAllowed",
    title: "Method not allowed",
    detail: "This address only accepts GET.",
  },
  tooMany: {
    status: 429,
    code: "tooMany",
    title: "Too many requests",
    detail: "Too many connections from your address. Close some, or retry in a few seconds.",
  },
  unstorable: { status: 400, code: "invalid", title: "The request is not valid", detail: unstorableText },
  noRoom: {
    status: 503,
    code: "unavailable",
    title: "Not available",
    detail: "Too many uploads in progress. Retry the request.",
  },
  busy: {
    status: 503,
    code: "busy",
    title: "Not available",
    detail: "Too many sign-ins in progress. Try again in a few seconds.",
    signInError: "Busy",
  },
  noDatabase: {
    status: 503,
    code: "unavailable",
    title: "Not available",
    detail: "The database cannot be reached. Try again in a few seconds.",
    signInError: "NoDatabase",
  },
} as const satisfies Record<string, Refusal>;

/** Of the address itself: a page for a person, else as any refusal. */
function refuseAddress(request: IncomingMessage, response: ServerResponse): void {
  if (!wantsPage(request)) return refuse(response, "unstorable");
  response.writeHead(refusals.unstorable.status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  });
  response.end(refusalPage({ title: "This address is not valid", detail: refusals.unstorable.detail }));
}

function refuse(response: ServerResponse, reason: keyof typeof refusals): void {
  const { status, code, title, detail, signInError }: Refusal = refusals[reason];
  const hint =
    status === 405 ? { allow: "GET, HEAD" } : status === 503 || status === 429 ? { "retry-after": "1" } : {};
  response.writeHead(status, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    ...hint,
  });
  // next-auth's client reads the reason of a refusal from a URL.
  const told = signInError === undefined ? {} : { url: `http://localhost/signin?error=${signInError}` };
  response.end(JSON.stringify({ type: `urn:reclaim:problem:${code}`, title, status, detail, code, ...told }));
}

/** Of answers that have no policy of their own: nothing in them runs, and no other page shows them in a frame. Pages get theirs from proxy.ts. */
const strictPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** When the head is written, because only then is it known whether the answer has a policy, and whether it leaves a body unread. */
function beforeHead(request: IncomingMessage, response: ServerResponse, linger: Linger): void {
  const write = response.writeHead;
  response.writeHead = (...head: unknown[]): ServerResponse => {
    if (hasBody(request) && !request.readableEnded) discardRest(request, response, linger);
    // safety: front: every answer has a content security policy
    if (!response.hasHeader("content-security-policy"))
      response.setHeader("content-security-policy", strictPolicy);
    response.setHeader("x-content-type-options", "nosniff");
    Reflect.apply(write, response, head);
    return response;
  };
}

const proxyHeaders = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
] as const;

/** Passes the address to Next's routes, which see only headers. Removes headers that only a proxy may send if they come from anybody else. */
function markCaller(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const address = clientAddress(request, trustedProxies);
  request.headers[viaProxyHeader] = proxyHeaders.some((name) => request.headers[name] !== undefined)
    ? "1"
    : "0";
  if (address === clientAddress(request, [])) for (const name of proxyHeaders) delete request.headers[name];
  request.headers[clientAddressHeader] = address;
  return address;
}

/** Holds a place for a sign-in until its answer was sent, or returns the reason why there is none. A caller that leaves or waits too long loses its turn. */
async function takePlace(
  response: ServerResponse,
  admit: (leaving: AbortSignal) => ReturnType<AdmitSignIn>,
  placeMs: number,
): Promise<"admitted" | "busy" | "noDatabase"> {
  // An answer queued behind another on its connection is sent only when the caller has read that one, so it could hold its place forever.
  // safety: front: no place for an answer that waits behind another
  if (response.socket === null) return "busy";
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), placeMs);
  // safety: front: a turn is given up by who leaves
  response.once("close", () => leaving.abort());
  try {
    const leave = await admit(leaving.signal);
    if (leave === null) return "busy";
    if (response.closed) leave();
    else response.once("close", leave);
    return "admitted";
  } catch {
    return "noDatabase"; // only the lookup of a known address fails here, and it asks the database
  } finally {
    clearTimeout(timer);
  }
}

const bodyRefusals = { tooLong: "tooLarge", tooSlow: "tooSlow", noRoom: "noRoom" } as const;

interface BodyLimits {
  readonly bytes: number;
  readonly isSignIn: boolean;
  readonly times: FrontTimes;
  readonly received: ReceivedBytes;
  readonly address: string;
}

/** The request with its whole body, or why it is refused; `gone`: the caller left. */
async function withWholeBody(
  request: IncomingMessage,
  { bytes, isSignIn, times, received, address }: BodyLimits,
): Promise<IncomingMessage | keyof typeof refusals | "gone"> {
  const withinMs = isSignIn ? times.signInBodyMs : times.bodyMs;
  const body = await readWhole(request, { bytes, withinMs, received, caller: addressGroup(address) });
  if (body === "gone") return "gone";
  if (typeof body === "string") return bodyRefusals[body];
  // The procedures look at their input themselves, which they have decoded.
  // safety: text: NUL in a sign-in
  if (isSignIn && /\0|%00|\\u0000/.test(body.toString("latin1"))) return "unstorable";
  return withBody(request, body);
}

/** For both events of a server, `request` and `checkContinue`: a caller that sends `Expect: 100-continue` gets its refusal instead of the go-ahead. */
export function createFront({
  machine,
  pages,
  admitSignIn,
  trustedProxies,
  times = defaultTimes,
  received = new ReceivedBytes(),
  connections,
  linger = defaultLinger,
  hostsElsewhere = false,
}: FrontDeps): RequestListener {
  const toPages = async (
    request: IncomingMessage,
    response: ServerResponse,
    handle: RequestListener,
  ): Promise<void> => {
    const path = pathOf(request.url ?? "/");
    // safety: text: NUL in an address of the console
    if (hasEncodedNul(request.url ?? "/")) return refuseAddress(request, response);
    const isReading = request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS";
    if (!isReading && !takesBodies(path)) return refuse(response, "methodNotAllowed");
    const limit = limitOf(path);
    const counted = request.headers["transfer-encoding"] !== undefined;
    // A declared length cannot be exceeded: Node reads no more of a body than its Content-Length.
    const expected = counted ? limit : Number(request.headers["content-length"] ?? 0);
    // safety: front: a declared length over the limit
    if (expected > limit) return refuse(response, "tooLarge");
    const address = markCaller(request, trustedProxies);
    if (asksFirst(request)) response.writeContinue();
    const isSignIn = request.method === "POST" && path.startsWith("/api/auth/");
    const whole =
      expected > 0 && !isUpload(path)
        ? await withWholeBody(request, { bytes: limit, isSignIn, times, received, address })
        : request;
    if (whole === "gone") return;
    if (typeof whole === "string") return refuse(response, whole);
    // The whole body has arrived, so nobody holds a place by sending slowly.
    if (admitSignIn !== undefined && isSignIn) {
      const place = await takePlace(response, (leaving) => admitSignIn(address, leaving), times.placeMs);
      if (response.closed) return;
      if (place !== "admitted") return refuse(response, place);
    }
    handle(whole, response);
  };

  return (request, response) => {
    beforeHead(request, response, linger);
    if (connections?.admits(request, response) === false) {
      response.setHeader("connection", "close");
      return refuse(response, "tooMany");
    }
    if (pages === null || isMachineRequest(request.url ?? "/", request.headers.accept, hostsElsewhere)) {
      if (asksFirst(request) && Number(request.headers["content-length"] ?? 0) <= bodyLimitBytes)
        response.writeContinue();
      machine(request, response);
      return;
    }
    toPages(request, response, pages).catch(() => response.destroy());
  };
}

const asksFirst = (request: IncomingMessage): boolean =>
  request.headers.expect?.toLowerCase() === "100-continue";
