// How a connection is made: a name is resolved once, the resolved address is checked and used, and the certificate is checked before anything is sent.
import { lookup as dnsLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { TLSSocket } from "node:tls";
import { buildConnector } from "undici";
import type { AddressVerdict } from "@/server/hardware/bmc-address";
import { ForbiddenPeer, UntrustedCertificate } from "@/server/hardware/http/exchange";

/** Which certificates are accepted: by the system's authorities, by the site's own (PEM), one by its SHA-256 fingerprint, or none. */
export type TlsTrust =
  | { readonly kind: "system" }
  | { readonly kind: "authority"; readonly ca: string }
  | { readonly kind: "pinned"; readonly sha256: string }
  | { readonly kind: "nobody"; readonly reason: string };

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type ResolveName = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export type AddressCheck = (address: string) => AddressVerdict;

/** The system's resolver, except that names under `.localhost` are loopback without a query (RFC 6761, 6.3). */
export const resolveName: ResolveName = async (hostname) => {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost")) return [{ address: "127.0.0.1", family: 4 }];
  return dnsLookup(name, { all: true });
};

/**
 * A lookup for `net.connect` that returns only addresses that passed the check. The connection uses the address that was
 * checked, so a name that resolves differently a moment later (DNS rebinding) gains nothing.
 */
export function checkedLookup(check: AddressCheck, resolve: ResolveName = resolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const allowed = found.filter(({ address }) => check(address).ok);
        const [first] = allowed;
        if (first === undefined) return callback(new ForbiddenPeer(refusal(hostname, found, check)), "", 0);
        if (options.all === true) return callback(null, [...allowed]);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}

function refusal(hostname: string, found: readonly ResolvedAddress[], check: AddressCheck): string {
  const reasons = found.flatMap(({ address }) => {
    const verdict = check(address);
    return verdict.ok ? [] : [verdict.reason];
  });
  return `the address of ${hostname} is refused: ${reasons.join(", ") || "it has none"}`;
}

/** undici's connector with our lookup and trust. A literal IP address never reaches the lookup, so check it before. */
export function connector(
  trust: TlsTrust,
  lookup: LookupFunction,
  timeoutMs: number,
): buildConnector.connector {
  // HTTP/1.1 only: request limits, and knowing whether a request was sent, rely on one request at a time per connection.
  const plain = { lookup, timeout: timeoutMs, allowH2: false };
  switch (trust.kind) {
    case "system":
      return buildConnector(plain);
    case "authority":
      return buildConnector({ ...plain, ca: trust.ca });
    case "nobody": {
      const connect = buildConnector(plain);
      return (options, callback) =>
        options.protocol === "https:"
          ? callback(new UntrustedCertificate(trust.reason), null)
          : connect(options, callback);
    }
    case "pinned": {
      // The fingerprint replaces the chain of authorities. TLS sessions are not cached, so that every connection shows its certificate.
      const connect = buildConnector({ ...plain, rejectUnauthorized: false, maxCachedSessions: 0 });
      return (options, callback) =>
        connect(options, (...[error, socket]) => {
          if (error !== null) return callback(error, null);
          if (
            !(socket instanceof TLSSocket) ||
            sameFingerprint(socket.getPeerX509Certificate()?.fingerprint256, trust.sha256)
          )
            return callback(null, socket);
          socket.destroy();
          callback(new UntrustedCertificate("the certificate is not the pinned one"), null);
        });
    }
  }
}

function sameFingerprint(found: string | undefined, pinned: string): boolean {
  const plain = (text: string) => text.replaceAll(":", "").toLowerCase();
  return found !== undefined && plain(found) === plain(pinned);
}
