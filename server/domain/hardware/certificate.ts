// The certificate that a BMC presents, and whether Reclaim may talk to the BMC (docs/adr/0051-certificates-of-bmcs.md).
import { z } from "zod";
import type { BmcTrust } from "@/server/domain/sites/authorities";

/** SHA-256 of a certificate, normalized to 64 lower-case hexadecimal digits. */
export const fingerprint = z
  .string()
  .transform((text) =>
    text
      .replace(/^sha-?256[:=]?/i, "")
      .replaceAll(/[:\s]/g, "")
      .toLowerCase(),
  )
  .pipe(z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 fingerprint: 64 hexadecimal digits"));

/** In pairs of digits, as browsers and `openssl` show it. */
export const formatFingerprint = (sha256: string): string =>
  sha256.toUpperCase().match(/../g)?.join(":") ?? sha256;

export const seenCertificate = z.object({
  sha256: z.string(),
  subject: z.string(),
  issuer: z.string(),
  /** ISO 8601. */
  validFrom: z.string(),
  validTo: z.string(),
  /** The site's authorities (or, if it has none, those of the server's system) vouch for the certificate and for the name. */
  trusted: z.boolean(),
  /** Why they do not, as Node's error code (https://nodejs.org/api/tls.html#x509-certificate-error-codes); null: they do, or an earlier release checked. */
  refusal: z.string().nullable().default(null),
});
export type SeenCertificate = Readonly<z.infer<typeof seenCertificate>>;

/** What is known about a host's BMC before any connection. */
export interface CertificateTrust {
  /** The fingerprint that a person gave or confirmed, or that was accepted on first contact. */
  readonly pinned: string | null;
  /** The certificate presented on first contact is accepted. */
  readonly acceptFirst: boolean;
  /** What the site requires. */
  readonly by: BmcTrust;
}

export type CertificateVerdict =
  /** `pin`: the fingerprint that every connection must present; null: the authorities decide. */
  { readonly ok: true; readonly pin: string | null } | { readonly ok: false; readonly message: string };

const shownText = ({ sha256, subject, validTo }: SeenCertificate): string =>
  `SHA-256 ${formatFingerprint(sha256)}, subject ${subject === "" ? "(none)" : subject}, valid until ${validTo.slice(0, 10)}`;

/** The refusal of a certificate that was checked against authorities the site no longer has, until its BMC presents it again. */
export const authoritiesChanged = "AUTHORITIES_CHANGED";

/** Why no authority vouches for a certificate, and what can be done other than confirming it. Pure. */
export function formatRefusal(code: string | null): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return "the BMC's certificate, or the authority that signed it, has expired. Renew it";
    case "CERT_NOT_YET_VALID":
      return "the BMC's certificate is not valid yet. Compare the clocks of the BMC and of this server";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "the BMC's certificate is for another name. Correct the BMC's address, or issue a certificate for its name";
    case authoritiesChanged:
      return "the site's authorities have changed since the BMC presented its certificate. Retry the host to verify it again";
    default:
      return "the BMC's certificate is not issued by a trusted authority of the site. Add its issuer to the site's authorities if it is one of yours";
  }
}

/** Why a person cannot confirm the certificate. */
export const onlyAuthorities = "the site accepts only certificates issued by a trusted authority";

/** What a person can do about an unaccepted certificate, depending on what the site requires. */
const wayOn: Readonly<Record<BmcTrust, string>> = {
  pinOrAuthority: "Or compare the fingerprint with the BMC's own, and confirm it",
  pin: "Compare the fingerprint with the BMC's own, and confirm it",
  authority: "Nobody can confirm it: the site accepts only certificates issued by a trusted authority",
};

function unaccepted(by: BmcTrust, seen: SeenCertificate): string {
  const cause =
    by === "pin"
      ? "the site accepts pinned certificates only, and the BMC's is not pinned"
      : formatRefusal(seen.refusal);
  return `${cause}. Nothing was sent to the BMC, which presented ${shownText(seen)}. ${wayOn[by]}`;
}

/**
 * Whether a password may be sent to a BMC that presents this certificate. If there is a pin, only the pin counts, whatever the authorities say.
 * @param seen null: the address is http, which is allowed on loopback only. Pure.
 */
export function judgeCertificate(
  { pinned, acceptFirst, by }: CertificateTrust,
  seen: SeenCertificate | null,
): CertificateVerdict {
  if (pinned !== null) {
    // safety: certificate: a pin is shown, or nothing is sent
    if (seen === null || seen.sha256 !== pinned)
      return {
        ok: false,
        message:
          seen === null
            ? "the BMC's address is http, but a certificate is pinned, so nothing was sent. Correct the address"
            : `the BMC presented a certificate other than the pinned one: ${shownText(seen)}. Nothing was sent to it. If it was replaced, confirm the new one`,
      };
    return { ok: true, pin: pinned };
  }
  if (seen === null) return { ok: true, pin: null };
  if (seen.trusted && by !== "pin") return { ok: true, pin: null };
  // safety: certificate: what nobody vouches for is not believed (always)
  if (acceptFirst && by !== "authority") return { ok: true, pin: seen.sha256 };
  return { ok: false, message: unaccepted(by, seen) };
}

/** Whether Reclaim would currently talk to a BMC with this certificate. Pure. */
export const isAccepted = (pinned: string | null, by: BmcTrust, seen: SeenCertificate): boolean =>
  judgeCertificate({ pinned, by, acceptFirst: false }, seen).ok;
