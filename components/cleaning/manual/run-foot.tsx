"use client";
// The button that runs the list, or the reason why it cannot run, and what the confirmation will ask.
import { formatCounted } from "@/components/ui/format/numbers";
import { Button } from "@/components/ui/button";
import type { ManualFault } from "@/server/domain/cleaning/plan/manual";

interface RunFootProps {
  count: number;
  /** "gpu-a-0417", "12 hosts". */
  onWhat: string;
  faults: readonly ManualFault[];
  /** Why the host cannot run it now, or why this user may not; null if it can. */
  refusal: string | null;
  /** Numbers of the erasing steps, counted from 1. */
  erasing: readonly number[];
  /** What has to be typed to confirm: "the host's name", "how many hosts". */
  typed: string;
  onRun: () => void;
}

const formatSteps = (count: number) => formatCounted(count, "step");
const sentence = (words: string) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;

/** "Steps 2 and 4 have faults" */
function faultyText(faults: readonly ManualFault[]): string | null {
  const numbers = [...new Set(faults.map(({ index }) => index + 1))];
  if (numbers.length === 0) return null;
  return numbers.length === 1
    ? `Step ${numbers[0]} is not complete: ${faults.length === 1 ? "one argument is" : `${faults.length} arguments are`} wrong or missing.`
    : `Steps ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)} are not complete: ${faults.length} arguments are wrong or missing.`;
}

export function RunFoot({ count, onWhat, faults, refusal, erasing, typed, onRun }: RunFootProps) {
  const faulty = faultyText(faults);
  const reason = count === 0 ? "Add a step first" : (faulty ?? (refusal === null ? null : sentence(refusal)));
  const asks =
    erasing.length === 0
      ? null
      : `You will be asked to type ${typed}, because ${erasing.length === 1 ? `step ${erasing[0]} erases` : `steps ${erasing.join(", ")} erase`}.`;
  return (
    <>
      <Button kind="main" onClick={onRun} disabledReason={reason ?? undefined}>
        {count === 0 ? `Run on ${onWhat}…` : `Run ${formatSteps(count)} on ${onWhat}…`}
      </Button>
      <p className="why after">
        {reason} {asks}
      </p>
    </>
  );
}
