// The certificate that a BMC shows, and whether it may be talked to (docs/adr/0051-certificates-of-bmcs.md).
import { z } from "zod";

/** SHA-256 of a certificate: 64 lower-case hexadecimal digits, however it was written. */
export const fingerprint = z
  .string()
  .transform((text) =>
    text
      .replace(/^sha-?256[:=]?/i, "")
      .replaceAll(/[:\s]/g, "")
      .toLowerCase(),
  )
  .pipe(z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 fingerprint: 64 hexadecimal digits"));

/** In pairs, as browsers and `openssl` show it. */
export const fingerprintWords = (sha256: string): string =>
  sha256.toUpperCase().match(/../g)?.join(":") ?? sha256;

export const seenCertificate = z.object({
  sha256: z.string(),
  subject: z.string(),
  issuer: z.string(),
  /** ISO 8601. */
  validFrom: z.string(),
  validTo: z.string(),
  /** The authorities of the server's system vouch for it and for the name. */
  trusted: z.boolean(),
});
export type SeenCertificate = Readonly<z.infer<typeof seenCertificate>>;

/** What is known of a host's BMC before it is talked to. */
export interface CertificateTrust {
  /** The fingerprint that a person gave or confirmed, or that was believed at first contact. */
  readonly pinned: string | null;
  /** What is shown at first contact is believed. */
  readonly acceptFirst: boolean;
}

export type CertificateVerdict =
  /** `pin`: whom every connection must show it to be; null: the authorities decide. */
  { readonly ok: true; readonly pin: string | null } | { readonly ok: false; readonly message: string };

const shownWords = ({ sha256, subject, validTo }: SeenCertificate): string =>
  `SHA-256 ${fingerprintWords(sha256)}, subject ${subject === "" ? "(none)" : subject}, valid until ${validTo.slice(0, 10)}`;

/**
 * Whether a BMC that shows this certificate may be given a password. A pin counts alone, also against one that authorities vouch for.
 * @param seen null: the address is http, which is allowed on loopback only. Pure.
 */
export function judgeCertificate(
  { pinned, acceptFirst }: CertificateTrust,
  seen: SeenCertificate | null,
): CertificateVerdict {
  if (pinned !== null) {
    // safety: certificate: a pin is shown, or nothing is sent
    if (seen === null || seen.sha256 !== pinned)
      return {
        ok: false,
        message:
          seen === null
            ? "the BMC's address is http, and a certificate was pinned: nothing was sent. Correct the address"
            : `the BMC shows another certificate than the pinned one: ${shownWords(seen)}. Nothing was sent to it. If it was replaced, confirm the new one`,
      };
    return { ok: true, pin: pinned };
  }
  if (seen === null || seen.trusted) return { ok: true, pin: null };
  // safety: certificate: what nobody vouches for is not believed (always)
  if (acceptFirst) return { ok: true, pin: seen.sha256 };
  return {
    ok: false,
    message: `nobody vouches for the BMC's certificate: ${shownWords(seen)}. Nothing was sent to it. Compare the fingerprint with the BMC's own, and confirm it`,
  };
}
