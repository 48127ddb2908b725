// Reads the certificate that a server shows, and sends it nothing: the handshake ends before any request.
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";

interface Asked {
  readonly url: URL;
  readonly lookup: LookupFunction;
  readonly timeoutMs: number;
  /** Whose vouching counts, as PEM; null: the authorities of the system. */
  readonly authorities: string | null;
}

/** Rejects when there is no handshake in time. */
export function readCertificate({ url, lookup, timeoutMs, authorities }: Asked): Promise<SeenCertificate> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const socket = connect({
      host,
      port: url.port === "" ? 443 : Number(url.port),
      lookup,
      // Whether anybody vouches for it is told, not decided, here.
      rejectUnauthorized: false,
      ...(authorities === null ? {} : { ca: authorities }),
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(timeoutMs, () =>
      fail(new Error(`no TLS handshake within ${Math.round(timeoutMs)} ms`)),
    );
    socket.once("error", fail);
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerX509Certificate();
      const { authorized: trusted, authorizationError } = socket;
      socket.destroy();
      if (certificate === undefined) return reject(new Error("the server shows no certificate"));
      resolve({
        sha256: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
        subject: oneLine(certificate.subject),
        issuer: oneLine(certificate.issuer),
        validFrom: certificate.validFromDate.toISOString(),
        validTo: certificate.validToDate.toISOString(),
        trusted,
        refusal: trusted ? null : codeOf(authorizationError),
      });
    });
  });
}

/** Node's documentation says Error; what it sets is the code alone. */
const codeOf = (refusal: unknown): string =>
  typeof refusal === "string" ? refusal : ((refusal as NodeJS.ErrnoException | null)?.code ?? "unknown");

/** Node writes each part of a name on a line of its own. The other side chose the text: it goes onto screens. */
const oneLine = (name: string): string =>
  name
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 300);
