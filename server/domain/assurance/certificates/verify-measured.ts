// Checks the quote in a certificate again, as anybody can: needs Node's crypto, so the browser's check leaves it out (docs/assurance/certificates.md).
import type { AnyStatement, Statement } from "@/server/domain/assurance/certificates/statement";
import { verifyQuote } from "@/server/domain/attestation/measured/verify-quote";
import { TpmFault } from "@/server/domain/attestation/tpm/reader";

type MeasuredBoot = NonNullable<Statement["predicate"]["measuredBoot"]>;

const bytesOf = (text: string): Buffer => Buffer.from(text, "base64");

/** The registers whose value is not the expected one, or why the quote does not prove its values; null: it does. Pure. */
function faultOf(said: MeasuredBoot): string | null {
  const { attestationKey, nonce, quote, signature, values, bundle } = said;
  const request = { nonce: bytesOf(nonce), pcrs: Object.keys(values).map(Number) };
  const claim = { message: bytesOf(quote), signature: bytesOf(signature), pcrs: values, eventLog: null };
  try {
    verifyQuote(bytesOf(attestationKey), request, claim);
  } catch (error) {
    // safety: certificate: a quote that is wrong proves nothing
    if (error instanceof TpmFault) return error.message;
    throw error;
  }
  const other = Object.keys(bundle.expects).filter((pcr) => values[pcr] !== bundle.expects[pcr]);
  // safety: certificate: what was measured is what the bundle expects
  return other.length === 0
    ? null
    : `the values of ${other.join(", ")} are not those that the bundle expects`;
}

/** Null: the statement has none. Pure. */
export const measuredBootOf = ({ predicate }: AnyStatement): MeasuredBoot | null =>
  "measuredBoot" in predicate ? predicate.measuredBoot : null;

/** What is wrong with the measured boot of a certificate; null: nothing, or it has none. Pure. */
export function measuredBootFault(statement: AnyStatement): string | null {
  const said = measuredBootOf(statement);
  return said === null ? null : faultOf(said);
}
