"use client";
// The reason for a hold or maintenance, and how long a hold lasts.
import { useId } from "react";

const hourMs = 3_600_000;

/** How long a hold may be chosen to last; the first leaves it to the site's policy. */
export const holdTimes = [
  { words: "as long as the site's policy says", ms: undefined },
  { words: "1 hour", ms: hourMs },
  { words: "4 hours", ms: 4 * hourMs },
  { words: "1 day", ms: 24 * hourMs },
  { words: "7 days", ms: 7 * 24 * hourMs },
] as const;

export interface Reason {
  readonly reason: string;
  /** Of `holdTimes`. */
  readonly time: string;
}

export const noReason: Reason = { reason: "", time: holdTimes[0].words };

/** What is sent: `forMs` only where one was chosen. */
export function reasonInput({ reason, time }: Reason): { reason: string; forMs?: number } {
  const ms = holdTimes.find(({ words }) => words === time)?.ms;
  return { reason: reason.trim(), ...(ms === undefined ? {} : { forMs: ms }) };
}

interface ReasonFieldsProps {
  value: Reason;
  onChange: (value: Reason) => void;
  /** Maintenance has no end of its own. */
  timed: boolean;
}

export function ReasonFields({ value, onChange, timed }: ReasonFieldsProps) {
  const id = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-reason`}>Reason, shown to everyone who looks at the host</label>
        <textarea
          id={`${id}-reason`}
          value={value.reason}
          maxLength={500}
          onChange={(event) => onChange({ ...value, reason: event.target.value })}
        />
      </div>
      {timed ? (
        <div className="field">
          <label htmlFor={`${id}-time`}>The hold expires by itself after</label>
          <div className="input">
            <select
              id={`${id}-time`}
              value={value.time}
              onChange={(event) => onChange({ ...value, time: event.target.value })}
            >
              {holdTimes.map(({ words }) => (
                <option key={words} value={words}>
                  {words}
                </option>
              ))}
            </select>
          </div>
        </div>
      ) : null}
    </>
  );
}
