// The adapter for a site's own network controller: one PUT of the versioned wanted state per host.
import { isIP } from "node:net";
import { Pool } from "undici";
import { canonicalWanted, wantedDigest } from "@/server/domain/hosts/network/wanted-digest";
import { checkWebhookAddress } from "@/server/hardware/bmc-address";
import {
  checkedLookup,
  connector,
  resolveName,
  type ResolveName,
  type TlsTrust,
} from "@/server/hardware/http/connect";
import type { NetworkAnswer } from "@/server/domain/hosts/network/controller-answer";
import { exchange, singleHeader, type Exchange, type Lost } from "@/server/hardware/http/exchange";
import type { CallOptions, HardwareError, NetworkInterfaceAdapter } from "@/server/hardware/interfaces";

export interface NetworkWebhookOptions {
  /** Base address of the site's network controller, without a slash at the end. */
  readonly url: string;
  /** Bearer token that the network controller expects. */
  readonly token: string;
  /** Private networks, or `loopback`, in which the controller may be. Public addresses need no entry (docs/security.md#outgoing-addresses). */
  readonly networks: readonly string[];
  readonly tls?: TlsTrust;
  readonly resolveName?: ResolveName;
  readonly onRequest?: (seen: {
    readonly hostId: string;
    readonly method: string;
    readonly path: string;
    readonly status: number | null;
    readonly ms: number;
  }) => void;
}

/** An adapter that keeps connections open until it is closed. */
export interface NetworkWebhook extends NetworkInterfaceAdapter {
  /** Whether the controller accepts requests for a host's network. Sends OPTIONS (RFC 9110, 9.3.7), which changes nothing. */
  ask(hostId: string, options: Pick<CallOptions, "timeoutMs">): Promise<NetworkAnswer>;
  close(): Promise<void>;
}

const connectTimeoutMs = 5_000;
/** The response body is not used. */
const maxAnswerBytes = 64 * 1024;
const connections = 16;

/** Throws TypeError if the address is not http(s), or is an IP address that may not be called. */
export function networkWebhook(options: NetworkWebhookOptions): NetworkWebhook {
  const base = new URL(options.url);
  if (base.protocol !== "https:" && base.protocol !== "http:")
    throw new TypeError("the network controller's address must be http or https");
  const literal = base.hostname.replace(/^\[|\]$/g, "");
  const verdict =
    isIP(literal) === 0 ? { ok: true as const } : checkWebhookAddress(literal, options.networks);
  if (!verdict.ok) throw new TypeError(`the network controller's address is refused: ${verdict.reason}`);
  const lookup = checkedLookup(
    (address) => checkWebhookAddress(address, options.networks),
    options.resolveName ?? resolveName,
  );
  const pool = new Pool(base.origin, {
    connections,
    connect: connector(options.tls ?? { kind: "system" }, lookup, connectTimeoutMs),
  });
  const pathOf = (hostId: string): string =>
    `${base.pathname.replace(/\/+$/, "")}/hosts/${encodeURIComponent(hostId)}/network`;
  const headers = { authorization: `Bearer ${options.token}`, accept: "application/json" };

  return {
    async ask(hostId, { timeoutMs }) {
      const request = { method: "OPTIONS" as const, path: pathOf(hostId), headers, body: null };
      return answerOf(await exchange(pool, request, limitsOf({ timeoutMs })));
    },
    async want(wanted, call) {
      const path = pathOf(wanted.host);
      if (call.permit !== undefined && !(await call.permit()))
        return refused(`PUT ${path} was not sent: the permit for it was refused`);
      const startedAt = performance.now();
      const outcome = await exchange(
        pool,
        {
          method: "PUT",
          path,
          headers: { ...headers, "content-type": "application/json" },
          body: canonicalWanted(wanted),
        },
        limitsOf(call),
      );
      options.onRequest?.({
        hostId: wanted.host,
        method: "PUT",
        path,
        status: outcome.status,
        ms: performance.now() - startedAt,
      });
      if (outcome.kind === "lost") return { ok: false, error: lost(path, outcome) };
      if (outcome.status >= 200 && outcome.status < 300)
        return { ok: true, value: { sha256: wantedDigest(wanted) } };
      return { ok: false, error: answered(path, outcome.status) };
    },
    close: () => pool.close(),
  };
}

function answerOf(outcome: Exchange): NetworkAnswer {
  if (outcome.kind === "lost") {
    const { cause, reason } = outcome;
    return { kind: "lost", cause: cause === "stopped" || cause === "too large" ? "other" : cause, reason };
  }
  const allows = singleHeader(outcome.headers, "allow")
    ?.split(",")
    .map((method) => method.trim().toUpperCase())
    .filter((method) => method !== "");
  return { kind: "answered", status: outcome.status, allows: allows ?? null };
}

function limitsOf({ timeoutMs, signal }: CallOptions) {
  return { timeoutMs, maxBytes: maxAnswerBytes, ...(signal === undefined ? {} : { signal }) };
}

function refused(message: string): { readonly ok: false; readonly error: HardwareError } {
  return { ok: false, error: { kind: "refused", message, unknownOutcome: false } };
}

function lost(path: string, { cause, reason, sent }: Lost): HardwareError {
  const kind =
    cause === "forbidden"
      ? "refused"
      : cause === "stopped" || cause === "too large"
        ? "failed"
        : "unreachable";
  const message =
    cause === "untrusted"
      ? `PUT ${path} was not sent, because the network controller's certificate is not accepted: ${reason}. If its authority is your own, add it to the site's authorities`
      : `PUT ${path} ${kind === "refused" ? "was not sent" : "got no answer"}: ${reason}`;
  return { kind, message, unknownOutcome: sent };
}

function answered(path: string, status: number): HardwareError {
  const message = `PUT ${path} was answered ${status}${status >= 300 && status < 400 ? "; redirects are not followed" : ""}`;
  if (status === 404 || status === 405 || status === 501)
    return { kind: "unsupported", message, unknownOutcome: false };
  if ([401, 403, 409, 412, 423, 428].includes(status))
    return { kind: "refused", message, unknownOutcome: false };
  return { kind: "failed", message, unknownOutcome: status >= 500 };
}
