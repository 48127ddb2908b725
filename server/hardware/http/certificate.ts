// Reads a server's certificate without sending it anything: the connection ends after the handshake, before any request.
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";

interface CertificateRequest {
  readonly url: URL;
  readonly lookup: LookupFunction;
  readonly timeoutMs: number;
  /** The trusted authorities, as PEM; null: the system's. */
  readonly authorities: string | null;
}

/** What a TLS handshake agreed on. */
export interface SeenHandshake {
  readonly certificate: SeenCertificate;
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  readonly cipher: string;
}

/** Rejects if the handshake does not finish in time. */
export const readCertificate = async (request: CertificateRequest): Promise<SeenCertificate> =>
  (await readHandshake(request)).certificate;

/** Rejects if the handshake does not finish in time. */
export function readHandshake({
  url,
  lookup,
  timeoutMs,
  authorities,
}: CertificateRequest): Promise<SeenHandshake> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const socket = connect({
      host,
      port: url.port === "" ? 443 : Number(url.port),
      lookup,
      // Whether the certificate is trusted is reported here, not decided.
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
      const protocol = socket.getProtocol() ?? "an unknown protocol";
      const cipher = socket.getCipher().name;
      socket.destroy();
      if (certificate === undefined) return reject(new Error("the server shows no certificate"));
      const shown = {
        sha256: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
        subject: oneLine(certificate.subject),
        issuer: oneLine(certificate.issuer),
        validFrom: certificate.validFromDate.toISOString(),
        validTo: certificate.validToDate.toISOString(),
        trusted,
        refusal: trusted ? null : codeOf(authorizationError),
      };
      resolve({ certificate: shown, protocol, cipher });
    });
  });
}

/** Node's documentation says that this is an Error, but at run time it is only the code. */
const codeOf = (refusal: unknown): string =>
  typeof refusal === "string" ? refusal : ((refusal as NodeJS.ErrnoException | null)?.code ?? "unknown");

/** Node puts each part of a name on its own line. The other side chose the text, and it is shown on screens. */
const oneLine = (name: string): string =>
  name
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 300);
