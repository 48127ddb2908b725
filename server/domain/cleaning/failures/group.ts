// Groups failures: the same cause on the same model of device (docs/cleaning.md#groups-of-failures).
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { meaningOf, statusCode } from "@/server/domain/cleaning/failures/statuses/meaning";
import { causeLabel } from "@/server/domain/cleaning/failures/text";
import { formatTechnique } from "@/server/domain/cleaning/failures/table/row";
import { failurePattern } from "@/server/domain/hosts/failure-pattern";

export interface FailureOf {
  readonly causes: Causes | null;
  /** For records that have text only. */
  readonly message: string;
  /** Names of the host itself, which must not split a group of texts. */
  readonly names: readonly string[];
  readonly hostModel: string;
}

export interface CauseGroup {
  /** Equal for all failures of the group, in every release that knows the cause. */
  readonly key: string;
  /** "Erase refused, Sanitize (crypto erase): its firmware does not know this command". */
  readonly words: string;
  /** Model of the device that failed; for a cause at the host itself, the host's model. */
  readonly model: string;
}

/** Groups by the first cause, which the host stopped for. Texts without a cause are grouped by what they have in common. Pure. */
export function groupOf({ causes, message, names, hostModel }: FailureOf): CauseGroup {
  const first = causes?.[0];
  if (first === undefined || first.key === "other") {
    const pattern = failurePattern(message, names);
    return { key: pattern, words: pattern, model: hostModel };
  }
  const { key, device, technique, status, step } = first;
  const model = device?.model ?? hostModel;
  const meaning = status === undefined ? null : (meaningOf(status) ?? statusCode(status));
  const what = [causeLabel(first), ...(technique === undefined ? [] : [formatTechnique(first)])];
  const ofStep = technique === undefined && step !== undefined ? [step] : [];
  return {
    key: JSON.stringify([key, technique ?? null, step ?? null, status ?? null, model]),
    words: [...what, ...ofStep].join(", ") + (meaning === null ? "" : `: ${meaning}`),
    model,
  };
}

/** Digits of a digest in a filter: enough that no two groups share them. */
const filterDigits = 16;

/** A filter for the hosts page that matches the hosts of a group, as long as they fail alike. Pure. */
export const failureFilter = (digest: string): string => `failure:${digest.slice(0, filterDigits)}`;
