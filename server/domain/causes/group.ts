// Which failures are one: the same cause at the same model of device (docs/cleaning.md#groups-of-failures).
import type { Causes } from "@/server/domain/causes/cause";
import { meaningOf, statusCode } from "@/server/domain/causes/statuses/meaning";
import { causeLabel } from "@/server/domain/causes/words";
import { techniqueWords } from "@/server/domain/causes/table/row";
import { failurePattern } from "@/server/domain/hosts/failure-pattern";

export interface FailureOf {
  readonly causes: Causes | null;
  /** For records that have text only. */
  readonly message: string;
  /** The host's own names, which do not split a group of texts. */
  readonly names: readonly string[];
  readonly hostModel: string;
}

export interface CauseGroup {
  /** The same for all failures of the group, in every release that has the cause. */
  readonly key: string;
  /** "Erase refused, Sanitize (crypto erase): its firmware does not know this command". */
  readonly words: string;
  /** Of the device that failed; of a cause at the host itself, the host's. */
  readonly model: string;
}

/** By the first cause: it is what the host stopped for. Texts without a cause are grouped by what they have in common. Pure. */
export function groupOf({ causes, message, names, hostModel }: FailureOf): CauseGroup {
  const first = causes?.[0];
  if (first === undefined || first.key === "other") {
    const pattern = failurePattern(message, names);
    return { key: pattern, words: pattern, model: hostModel };
  }
  const { key, device, technique, status, step } = first;
  const model = device?.model ?? hostModel;
  const meaning = status === undefined ? null : (meaningOf(status) ?? statusCode(status));
  const what = [causeLabel(first), ...(technique === undefined ? [] : [techniqueWords(first)])];
  const ofStep = technique === undefined && step !== undefined ? [step] : [];
  return {
    key: JSON.stringify([key, technique ?? null, step ?? null, status ?? null, model]),
    words: [...what, ...ofStep].join(", ") + (meaning === null ? "" : `: ${meaning}`),
    model,
  };
}
