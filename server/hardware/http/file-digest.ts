// Reads a file from its address and computes its SHA-256, without keeping the file (docs/platform.md#firmware-rollouts).
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { Client } from "undici";
import { checkWebhookAddress } from "@/server/hardware/bmc-address";
import { checkedLookup, connector } from "@/server/hardware/http/connect";
import type { ResolveName } from "@/server/hardware/http/connect";

export interface DigestLimits {
  /** Private networks, or `loopback`, in which the file may be. */
  readonly networks: readonly string[];
  readonly resolveName: ResolveName;
  readonly connectTimeoutMs: number;
  /** For the whole file, so that a file without end is not read for ever. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type FileDigest =
  /** Lower-case hexadecimal. */
  { readonly ok: true; readonly sha256: string } | { readonly ok: false; readonly reason: string };

export type ReadDigest = (url: string, limits: DigestLimits) => Promise<FileDigest>;

/** Never rejects. Redirects are not followed: a BMC may not follow them either, and would write something else. `url`: http or https. */
export const fileDigest: ReadDigest = async (url, limits) => {
  const { protocol, hostname, origin, pathname, search } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:")
    return { ok: false, reason: `only files of http and https addresses can be read, not ${protocol}` };
  const check = (address: string) => checkWebhookAddress(address, limits.networks);
  const literal = hostname.replace(/^\[|\]$/g, "");
  // A literal address never reaches the lookup.
  const verdict = isIP(literal) === 0 ? { ok: true as const } : check(literal);
  // safety: firmware: the address of a file
  if (!verdict.ok) return verdict;
  const { resolveName, connectTimeoutMs, timeoutMs, signal } = limits;
  const client = new Client(origin, {
    connect: connector({ kind: "system" }, checkedLookup(check, resolveName), connectTimeoutMs),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const late = AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)));
  try {
    const answer = await client.request({
      ...{ method: "GET", path: `${pathname}${search}`, headers: { "user-agent": "reclaim" } },
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    });
    if (answer.statusCode !== 200) return { ok: false, reason: `its server answered ${answer.statusCode}` };
    const hash = createHash("sha256");
    for await (const chunk of answer.body) hash.update(chunk);
    return { ok: true, sha256: hash.digest("hex") };
  } catch (error) {
    if (late.aborted)
      return { ok: false, reason: `it did not arrive within ${Math.round(timeoutMs / 1_000)} s` };
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.destroy();
  }
};
