// Sends one event to a webhook: signed, to a checked address, without redirects, with a short timeout (docs/security.md#outgoing-addresses).
import { isIP } from "node:net";
import { Client } from "undici";
import { checkWebhookAddress, isPublicAddress } from "@/server/hardware/bmc-address";
import { checkedLookup, connector, resolveName } from "@/server/hardware/http/connect";
import type { ResolveName } from "@/server/hardware/http/connect";
import { exchange } from "@/server/hardware/http/exchange";
import type { Lost } from "@/server/hardware/http/exchange";

const connectTimeoutMs = 5_000;
const timeoutMs = 15_000;
/** The response body is not used. */
const maxAnswerBytes = 16 * 1024;

interface Sent {
  /** Null: no response. */
  readonly status: number | null;
  /** Null: the receiver accepted it. */
  readonly error: string | null;
}

/** These never say what a name resolved to: a reader could otherwise probe DNS from inside our network. */
const words: Record<Lost["cause"], string> = {
  connection: "No connection could be made.",
  timeout: "No response in time.",
  "too large": "The response is too large.",
  stopped: "The server was stopped.",
  forbidden:
    "Its address is not allowed: only public addresses are, unless the provider allows others. An http:// address must be private.",
  untrusted: "Its certificate is not accepted.",
};

const refused: Sent = { status: null, error: words.forbidden };

/** @param networks private networks, or `loopback`, in which the webhook may be */
export async function postEvent(
  url: string,
  event: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  {
    networks,
    resolve = resolveName,
    signal,
  }: { networks: readonly string[]; resolve?: ResolveName; signal?: AbortSignal },
): Promise<Sent> {
  const address = new URL(url);
  // Plain http may only go to networks that the operator has listed.
  const check = (ip: string) =>
    address.protocol === "http:" && isPublicAddress(ip)
      ? { ok: false as const, reason: "http" }
      : checkWebhookAddress(ip, networks);
  const literal = address.hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0 && !check(literal).ok) return refused;
  const client = new Client(address.origin, {
    connect: connector({ kind: "system" }, checkedLookup(check, resolve), connectTimeoutMs),
  });
  try {
    const outcome = await exchange(
      client,
      {
        method: "POST",
        path: `${address.pathname}${address.search}`,
        headers: { ...event.headers, "content-type": "application/json", "user-agent": "reclaim" },
        body: event.body,
      },
      { timeoutMs, maxBytes: maxAnswerBytes, ...(signal === undefined ? {} : { signal }) },
    );
    const { status } = outcome;
    if (status !== null && status >= 200 && status < 300) return { status, error: null };
    if (outcome.kind === "lost") return { status, error: words[outcome.cause] };
    const redirect = outcome.status >= 300 && outcome.status < 400 ? " Redirects are not followed." : "";
    return { status, error: `It answered ${outcome.status}.${redirect}` };
  } finally {
    await client.destroy();
  }
}
