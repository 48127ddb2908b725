// Why a host whose BMC did not do what a boot needs is stopped: it is not there, it refuses, or it is another machine's.
import type { FailureCause } from "@/server/domain/lifecycle/states";
import { readOutcome } from "@/server/controller/host/effect-outcome";
import type { Draft } from "@/server/controller/host/draft";

/** By its newest answer, which this decision read. A BMC that only does not answer goes on by itself; one that refuses is not asked for ever. */
export function bmcCause({ view }: Draft): FailureCause {
  const answers = view.effects.filter(({ kind }) => kind === "bootAgent" || kind === "lookBoot");
  const last = answers.at(-1);
  const outcome = last === undefined ? null : readOutcome(last, view.run.generation);
  if (outcome?.kind !== "failed") return "BmcUnreachable";
  if (outcome.errorKind === "otherHost") return "BmcOfAnotherHost";
  if (outcome.errorKind === "untrusted") return "BmcCertificateChanged";
  // safety: bmc: a refusal is no silence
  if (outcome.errorKind === "unsupported" || outcome.errorKind === "rejected") return "BmcRefused";
  return "BmcUnreachable";
}
