// The certificates of a component, from its own to an authority of the site. A component shows a chain; who it leads to is the site's decision.
import type { X509Certificate } from "node:crypto";
import { SpdmFault } from "@/server/domain/attestation/spdm/reader";
import { certificateName, certificatesIn, everyCertificateIn } from "@/server/domain/sites/read-authorities";

/** From a device's alias certificate to its maker there are four or five. */
const maxChain = 12;
/** A chain of as many certificates with long extensions. */
const maxChainText = 100_000;

/** A signature by a broken key, or of an unknown algorithm, is none. */
function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

function requireDates(certificate: X509Certificate, nowMs: number): void {
  const name = certificateName(certificate.subject);
  const [from, to] = [certificate.validFromDate, certificate.validToDate];
  // safety: spdm: a certificate that is not valid yet, or no longer
  if (!(nowMs >= from.getTime()))
    throw new SpdmFault(`the certificate ${name} is not valid before ${from.toISOString()}`);
  // safety: spdm: an expired certificate
  if (!(nowMs <= to.getTime())) throw new SpdmFault(`the certificate ${name} expired at ${to.toISOString()}`);
}

/** The certificate that issued none of the others. */
function leafOf(chain: readonly X509Certificate[]): X509Certificate {
  const [leaf, ...more] = chain.filter(
    (one) => !chain.some((other) => other !== one && !other.raw.equals(one.raw) && isIssuedBy(other, one)),
  );
  if (leaf === undefined || more.length > 0)
    throw new SpdmFault("its certificates are no chain: several of them issued none of the others");
  return leaf;
}

export interface Vouched {
  readonly leaf: X509Certificate;
  /** The authority of the site that it leads to. */
  readonly authority: string;
}

/**
 * The component's own certificate, if an authority of the site vouches for it. Throws SpdmFault. No revocation list is read. Pure.
 *
 * @param pem as its BMC shows it, in any order
 * @param authorities PEM of the site's authorities for components
 */
export function vouchedChain(pem: string, authorities: string, nowMs: number): Vouched {
  if (pem.length > maxChainText)
    throw new SpdmFault(
      `its certificates have ${pem.length} characters, and at most ${maxChainText} are accepted`,
    );
  const chain = everyCertificateIn(pem);
  if (chain.length === 0) throw new SpdmFault("its BMC shows no certificate that can be read");
  if (chain.length > maxChain)
    throw new SpdmFault(`it has ${chain.length} certificates, and at most ${maxChain} are accepted`);
  const trusted = certificatesIn(authorities);
  const leaf = leafOf(chain);
  let at = leaf;
  for (let steps = 0; steps <= maxChain; steps += 1) {
    requireDates(at, nowMs);
    const current = at;
    const authority = trusted.find((one) => isIssuedBy(current, one));
    if (authority !== undefined) {
      requireDates(authority, nowMs);
      return { leaf, authority: certificateName(authority.subject) };
    }
    const next = chain.find((one) => one.ca && !one.raw.equals(current.raw) && isIssuedBy(current, one));
    if (next === undefined) break;
    at = next;
  }
  // safety: spdm: its chain leads to an authority of the site
  throw new SpdmFault(
    `its certificates lead to ${certificateName(at.issuer)}, which is no authority of the site for components`,
  );
}
