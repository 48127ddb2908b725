// Why a BMC did not do what was requested: unreachable, refused, unsupported, a garbled answer, or the BMC of another machine.
import type { Cause, CauseKey } from "@/server/domain/cleaning/failures/cause";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import { readOutcome } from "@/server/controller/host/effect-outcome";
import type { EffectOutcome } from "@/server/controller/host/effect-outcome";
import type { Draft } from "@/server/controller/host/draft";

/** A failed call, as it was read. */
export type BmcAnswer = Pick<
  Extract<EffectOutcome, { readonly kind: "failed" }>,
  "answer" | "errorKind" | "message"
>;

const keys: Readonly<Record<string, CauseKey>> = {
  otherHost: "bmcOtherHost",
  untrusted: "bmcCertificate",
  unsupported: "bmcUnsupported",
  rejected: "bmcRefused",
  refused: "bmcRefused",
  ignored: "bmcIgnored",
  unreachable: "bmcSilent",
};

function keyOf({ errorKind, answer }: BmcAnswer): CauseKey {
  if (answer?.http === 401) return "bmcCredential";
  const key = keys[errorKind];
  if (key !== undefined) return key;
  // A success status with an answer that cannot be read.
  return answer?.http != null && answer.http < 300 ? "bmcGarbled" : "bmcError";
}

/** `tries`: consecutive failures. Pure. */
export function bmcTrouble(answer: BmcAnswer, tries?: number): Cause {
  return {
    key: keyOf(answer),
    device: { kind: "bmc" },
    // A success status does not explain the failure.
    ...(answer.answer === null || answer.answer.http < 300
      ? {}
      : { status: { bus: "redfish", ...answer.answer } }),
    ...(tries === undefined ? {} : { facts: { tries } }),
    raw: answer.message,
  };
}

/** The BMC answered and does not do it, because of its credential or its state, or at all. */
export const isRefusal = (errorKind: string): boolean =>
  ["unsupported", "rejected", "refused"].includes(errorKind);

/** An unreachable BMC is retried automatically; one that refuses is not. */
export function bmcCauseOf(errorKind: string): FailureCause {
  if (errorKind === "otherHost") return "BmcOfAnotherHost";
  if (errorKind === "untrusted") return "BmcCertificateChanged";
  // safety: bmc: a refusal is no silence
  if (isRefusal(errorKind)) return "BmcRefused";
  return "BmcUnreachable";
}

/** From the newest answer to a boot that this decision read. */
export function bmcCause({ view }: Draft): FailureCause {
  const answers = view.effects.filter(({ kind }) => kind === "bootAgent" || kind === "lookBoot");
  const last = answers.at(-1);
  const outcome = last === undefined ? null : readOutcome(last, view.run.generation);
  return outcome?.kind === "failed" ? bmcCauseOf(outcome.errorKind) : "BmcUnreachable";
}
