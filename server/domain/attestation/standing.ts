// What is known of a host's TPM, in a word and a sentence: one rule for page, command and API (docs/attestation.md).
import type { Acceptance, CertificateVerdict, IdentityProblem } from "@/server/domain/attestation/verdict";
import type { AttestationMode } from "@/server/domain/attestation/modes";

/**
 * - `off`: the site does not ask, and nothing is known from before.
 * - `unknown`: no boot has told since the site asks.
 * - `noTpm`, `unproven`: what the newest boot that told said.
 * - `proven`: the TPM holds the key that counts as the host's.
 * - `changed`: it holds another one.
 */
export const tpmStates = ["off", "unknown", "noTpm", "unproven", "proven", "changed"] as const;
export type TpmState = (typeof tpmStates)[number];

/** Names of what is wrong, as in the trail of a host. */
export const tpmCauses = ["EndorsementKeyChanged", "MeasurementsCAValidationFailed"] as const;
export type TpmCause = (typeof tpmCauses)[number];

/** What is stored of a host's TPM. */
export interface StoredTpm {
  readonly bootEpoch: number;
  readonly keyDigest: string | null;
  readonly verdict: CertificateVerdict | null;
  readonly activatedAt: Date | null;
  readonly problem: string | null;
  readonly problemKind: IdentityProblem | null;
  readonly acceptedDigest: string | null;
  readonly acceptedAs: Acceptance | null;
}

export interface TpmStanding {
  readonly state: TpmState;
  /** Null: nothing is wrong. */
  readonly cause: TpmCause | null;
  readonly words: string;
}

const acceptedWords = {
  certificate: "its certificate vouched for it",
  firstContact: "it was pinned at first contact",
  operator: "an operator accepted it",
} as const satisfies Record<Acceptance, string>;

function provenStanding({ verdict, acceptedAs, bootEpoch }: StoredTpm): TpmStanding {
  const boot = `Proven in boot ${bootEpoch}`;
  if (verdict !== null && verdict.authority !== null)
    return { state: "proven", cause: null, words: `${boot}: ${verdict.authority} vouches for the key.` };
  const counts = `The key counts because ${acceptedWords[acceptedAs ?? "firstContact"]}.`;
  if (verdict === null)
    return {
      state: "proven",
      cause: null,
      words: `${boot}; the TPM has no certificate for the key. ${counts}`,
    };
  return {
    state: "proven",
    cause: "MeasurementsCAValidationFailed",
    words: `${boot}; its certificate does not count: ${verdict.faults.join("; ")}. ${counts} Add the authority to the site, for TPMs, and the next boot is judged by it.`,
  };
}

/** Null as `stored`: nothing is. Pure. */
export function tpmStanding(mode: AttestationMode, stored: StoredTpm | null): TpmStanding {
  if (stored === null)
    return mode === "off"
      ? { state: "off", cause: null, words: "The site does not ask for the identity of TPMs." }
      : { state: "unknown", cause: null, words: "Not known: the agent tells it with its next boot." };
  const { bootEpoch, problem, problemKind, activatedAt, keyDigest, acceptedDigest } = stored;
  if (problem !== null)
    return problemKind === "noTpm"
      ? { state: "noTpm", cause: null, words: `In boot ${bootEpoch} the kernel found no TPM.` }
      : { state: "unproven", cause: null, words: `Not proven in boot ${bootEpoch}: ${problem}` };
  if (activatedAt === null)
    return {
      state: "unproven",
      cause: null,
      words: `Not proven in boot ${bootEpoch}: the TPM has not opened the credential for its keys.`,
    };
  if (keyDigest === acceptedDigest) return provenStanding(stored);
  return {
    state: "changed",
    cause: "EndorsementKeyChanged",
    words: `In boot ${bootEpoch} the TPM proved another key than the one that counts as the host's. If the mainboard or the TPM was replaced, accept the new key; otherwise find the machine that answers as this host.`,
  };
}
