// The reason for a hold or maintenance, and how long a hold lasts.
import { z } from "zod";
import { optionsOf, reasonField } from "@/components/ui/form/fields";
import { reasonText } from "@/components/ui/form/schemas";

const hourMs = 3_600_000;

/** Durations to choose from; the first uses the site's policy. */
const holdTimes = [
  { label: "the site's default", ms: undefined },
  { label: "1 hour", ms: hourMs },
  { label: "4 hours", ms: 4 * hourMs },
  { label: "1 day", ms: 24 * hourMs },
  { label: "7 days", ms: 7 * 24 * hourMs },
] as const;

export interface Reason {
  readonly reason: string;
  /** A label from `holdTimes`. */
  readonly time: string;
}

export const noReason: Reason = { reason: "", time: holdTimes[0].label };
export const reasonSchema = z.object({ reason: reasonText(), time: z.string() });

/** The request's fields; `forMs` only if a duration was chosen. */
export function reasonInput({ reason, time }: Reason): { reason: string; forMs?: number } {
  const ms = holdTimes.find(({ label }) => label === time)?.ms;
  return { reason: reason.trim(), ...(ms === undefined ? {} : { forMs: ms }) };
}

/** The fields. `timed`: for a hold. Maintenance does not expire by itself. */
export const reasonSpecs = (timed: boolean) => ({
  reason: reasonField("Shown on the host's page."),
  time: timed
    ? { label: "Hold expires after", options: optionsOf(holdTimes.map(({ label }) => label)) }
    : null,
});
