// Why a BMC did not do what it was asked for: it is not there, it refuses, it has no such thing, it answers nonsense, or it is another machine's.
import type { Cause, CauseKey } from "@/server/domain/causes/cause";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import { readOutcome } from "@/server/controller/host/effect-outcome";
import type { EffectOutcome } from "@/server/controller/host/effect-outcome";
import type { Draft } from "@/server/controller/host/draft";

/** A call that did not succeed, as it was read; `errorKind` null: its process died. */
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
  // An answer that says that all is well, and cannot be read.
  return answer?.http != null && answer.http < 300 ? "bmcGarbled" : "bmcError";
}

/** `tries`: how often in a row it failed. Pure. */
export function bmcTrouble(answer: BmcAnswer, tries?: number): Cause {
  return {
    key: keyOf(answer),
    device: { kind: "bmc" },
    // That all is well says nothing of what is wrong.
    ...(answer.answer === null || answer.answer.http < 300
      ? {}
      : { status: { bus: "redfish", ...answer.answer } }),
    ...(tries === undefined ? {} : { facts: { tries } }),
    raw: answer.message,
  };
}

/** The BMC answered, and does not do it: for its credential, for its state, or whenever it is asked. */
export const isRefusal = (errorKind: string): boolean =>
  ["unsupported", "rejected", "refused"].includes(errorKind);

/** A BMC that only does not answer goes on by itself; one that refuses is not asked for ever. */
export function bmcCauseOf(errorKind: string): FailureCause {
  if (errorKind === "otherHost") return "BmcOfAnotherHost";
  if (errorKind === "untrusted") return "BmcCertificateChanged";
  // safety: bmc: a refusal is no silence
  if (isRefusal(errorKind)) return "BmcRefused";
  return "BmcUnreachable";
}

/** By the newest answer to a boot, which this decision read. */
export function bmcCause({ view }: Draft): FailureCause {
  const answers = view.effects.filter(({ kind }) => kind === "bootAgent" || kind === "lookBoot");
  const last = answers.at(-1);
  const outcome = last === undefined ? null : readOutcome(last, view.run.generation);
  return outcome?.kind === "failed" ? bmcCauseOf(outcome.errorKind) : "BmcUnreachable";
}
