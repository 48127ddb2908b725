// Words for what is known of a host's TPM, for page and command.
import type { Acceptance, CertificateVerdict } from "@/server/domain/attestation/verdict";
import type { TpmState } from "@/server/domain/attestation/standing";

export const tpmStateText = {
  off: "not asked",
  unknown: "not known",
  noTpm: "no TPM",
  unproven: "not proven",
  proven: "proven",
  changed: "another key",
} as const satisfies Record<TpmState, string>;

export const acceptanceText = {
  certificate: "vouched for by its certificate",
  firstContact: "pinned at first contact",
  operator: "accepted by an operator",
} as const satisfies Record<Acceptance, string>;

/** Null: the TPM has no certificate. Pure. */
export function certificateText(verdict: CertificateVerdict | null): string {
  if (verdict === null) return "none";
  return verdict.authority === null
    ? `does not count: ${verdict.faults.join("; ")}`
    : `issued by ${verdict.authority}`;
}

/** What a certificate says of the TPM; null: nothing. Pure. */
export function makeText(verdict: CertificateVerdict | null): string | null {
  const parts = verdict === null ? [] : [verdict.make.manufacturer, verdict.make.model, verdict.make.version];
  const told = parts.filter((part) => part !== null);
  return told.length === 0 ? null : told.join(", ");
}
