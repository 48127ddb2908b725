// The checks before anything is sent: the BMC's name, its port, TLS, and its certificate.
import { connect, isIP, type LookupFunction } from "node:net";
import { judgeCertificate, type SeenCertificate } from "@/server/domain/hardware/certificate";
import { ForbiddenPeer } from "@/server/hardware/http/exchange";
import { readHandshake, type SeenHandshake } from "@/server/hardware/http/certificate";
import type { BmcTarget } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { failed, notKnown, passed, type Made, type Report } from "@/server/hardware/redfish/check/report";

const changeAddress = "Correct the address (Change BMC), or repair the network.";

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return [code, message].filter((part) => part !== undefined && part !== "").join(": ");
};

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");
const portOf = (url: URL): number => Number(url.port || (url.protocol === "http:" ? 80 : 443));

/** The addresses of a name that may be used. */
function addressesOf(lookup: LookupFunction, name: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) => {
      if (error !== null) reject(error);
      else resolve(Array.isArray(found) ? found.map(({ address }) => address) : [found]);
    });
  });
}

async function name(url: URL, lookup: LookupFunction): Promise<Made> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return passed(`The address is an IP address, ${host}`);
  try {
    return passed(`the name ${host} is ${(await addressesOf(lookup, host)).join(", ")}`);
  } catch (error) {
    if (error instanceof ForbiddenPeer) return failed(error.message, changeAddress);
    // EAI_AGAIN: the name server did not answer, so the name may exist (getaddrinfo(3)).
    return (error as NodeJS.ErrnoException).code === "EAI_AGAIN"
      ? notKnown(
          `the name server did not answer for ${host}: ${reasonOf(error)}`,
          "Look at the name server, and test again.",
        )
      : failed(
          `the name ${host} has no address: ${reasonOf(error)}`,
          "Correct the address, or add the name to DNS.",
        );
  }
}

/** Opens a connection and closes it. Resolves with the milliseconds that it took. */
function reach(url: URL, lookup: LookupFunction, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const begunAt = performance.now();
    const socket = connect({ host: hostOf(url), port: portOf(url), lookup, timeout: timeoutMs });
    const end = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.once("error", end);
    socket.once("timeout", () => end(new Error(`no answer within ${Math.round(timeoutMs)} ms`)));
    socket.once("connect", () => {
      socket.destroy();
      resolve(performance.now() - begunAt);
    });
  });
}

async function port(url: URL, lookup: LookupFunction, timeoutMs: number): Promise<Made> {
  const number = portOf(url);
  try {
    return passed(
      `port ${number} accepts connections (${Math.round(await reach(url, lookup, timeoutMs))} ms)`,
    );
  } catch (error) {
    return failed(`port ${number} accepts no connection: ${reasonOf(error)}`, changeAddress);
  }
}

/** What an error of OpenSSL or of the connection means, and what to do. First match counts. */
const handshakes: readonly (readonly [RegExp, string, string])[] = [
  [
    /WRONG_VERSION_NUMBER|wrong version number|packet length too long/i,
    "what answers at this port does not speak TLS",
    "Correct the port, or switch HTTPS on at the BMC.",
  ],
  [
    /UNSUPPORTED_PROTOCOL|unsupported protocol|protocol version|VERSION_TOO_LOW/i,
    "the BMC offers only TLS before 1.2, which Reclaim does not use",
    "Switch TLS 1.2 or 1.3 on at the BMC, or update its firmware.",
  ],
  [
    /HANDSHAKE_FAILURE|handshake failure|NO_SHARED_CIPHER|no shared cipher|NO_CIPHERS/i,
    "the BMC and Reclaim have no cipher in common",
    "Switch stronger ciphers on at the BMC, or update its firmware.",
  ],
  [
    /KEY_TOO_SMALL|key too small|MD_TOO_WEAK|md too weak/i,
    "the key or the signature of the BMC's certificate is too weak",
    "Issue a certificate with an RSA key of 2048 bits or more, or an elliptic curve, signed with SHA-256.",
  ],
  [
    /ECONNRESET|socket hang up|closed|EPIPE/i,
    "the BMC closed the connection during the handshake",
    "Restart the BMC if it stays so.",
  ],
];

function handshakeFault(error: unknown): Made {
  const reason = reasonOf(error);
  const row = handshakes.find(([pattern]) => pattern.test(reason));
  return row === undefined
    ? notKnown(`no TLS handshake: ${reason}`, "Restart the BMC if it stays so.")
    : failed(`${row[1]} (${reason})`, row[2]);
}

const dayMs = 86_400_000;
/** A certificate that ends sooner than this should be renewed. */
const soonMs = 30 * dayMs;

function renewal({ validTo }: SeenCertificate, now: Date): string | null {
  const leftMs = Date.parse(validTo) - now.getTime();
  return leftMs > soonMs
    ? null
    : `Renew the certificate: it ${leftMs > 0 ? "ends" : "ended"} on ${validTo.slice(0, 10)}.`;
}

export interface ConnectionChecked {
  /** The fingerprint that later connections must see; null: authorities decide. */
  readonly pin: string | null;
}

/**
 * Makes the checks, and says what later connections must see.
 * @param acceptFirst the certificate of the first contact is accepted, as the enrolment asked
 */
export async function checkConnection(
  client: RedfishClient,
  target: BmcTarget,
  report: Report,
  acceptFirst: boolean,
): Promise<ConnectionChecked> {
  const pinned = target.certificate ?? null;
  const place = client.place(target);
  if (!place.ok) {
    const refusal = failed(place.error.message, changeAddress);
    for (const check of ["name", "port", "tls", "certificate"] as const)
      await report.make(check, () => refusal, true);
    return { pin: pinned };
  }
  const { url, lookup } = place;
  const { connectTimeoutMs, readTimeoutMs } = client.settings.limits;
  const found: { seen: SeenHandshake | null; pin: string | null } = { seen: null, pin: pinned };
  await report.make("name", () => name(url, lookup), true);
  await report.make("port", () => port(url, lookup, connectTimeoutMs), true);
  await report.make(
    "tls",
    async () => {
      if (url.protocol === "http:")
        return passed("none: the address is http, which Reclaim accepts on its own machine only");
      try {
        const authorities = target.trust?.authorities ?? null;
        found.seen = await readHandshake({ url, lookup, timeoutMs: readTimeoutMs, authorities });
        return passed(`${found.seen.protocol} with ${found.seen.cipher}`);
      } catch (error) {
        return handshakeFault(error);
      }
    },
    true,
  );
  await report.make(
    "certificate",
    () => {
      const certificate = found.seen?.certificate ?? null;
      const by = target.trust?.by ?? "pinOrAuthority";
      const verdict = judgeCertificate({ pinned, acceptFirst, by }, certificate);
      if (!verdict.ok)
        return failed(
          verdict.message,
          certificate === null || by === "authority"
            ? null
            : `After comparing the fingerprint: Confirm certificate on the host's page, or --certificate ${certificate.sha256} on the command line.`,
        );
      found.pin = verdict.pin;
      if (certificate === null) return passed("none: the address is http");
      const { subject, issuer, validTo } = certificate;
      const words = `subject ${subject || "(none)"}, issuer ${issuer || "(none)"}, valid until ${validTo.slice(0, 10)}, `;
      const why =
        pinned !== null
          ? "the pinned one"
          : verdict.pin !== null
            ? "accepted as the first one shown"
            : "an authority vouches for it";
      return passed(words + why, renewal(certificate, client.settings.date()));
    },
    true,
  );
  return { pin: found.pin };
}
