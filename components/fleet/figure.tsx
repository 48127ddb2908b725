// One number of the fleet page: its label, and a sparkline of the last 24 h.
import Link from "next/link";
import type { ReactNode } from "react";
import { Sparkline } from "@/components/ui/charts/sparkline";

interface FigureProps {
  words: string;
  value: ReactNode;
  sub: ReactNode;
  /** The value over the last 24 h, oldest first; undefined if unknown. */
  day?: readonly number[] | undefined;
  /** Links to the hosts behind the number. */
  href?: string;
  /** Takes more room, for two values. */
  long?: boolean;
}

export function Figure({ words, value, sub, day, href, long = false }: FigureProps) {
  return (
    <div className={long ? "fig long" : "fig"}>
      <dt>{words}</dt>
      <dd className="value">{href === undefined ? value : <Link href={href}>{value}</Link>}</dd>
      {day === undefined ? null : (
        <dd className="sparkline" aria-hidden="true">
          <Sparkline values={day} />
        </dd>
      )}
      <dd className="sub">{sub}</dd>
    </div>
  );
}

const unit = (value: number, words: string) => (
  <>
    {value} <small>{words}</small>
  </>
);

/** "2 h 36 min" with small units; "unknown" if nothing was measured. */
export function BigDuration({ ms }: { ms: number | null }) {
  if (ms === null) return <small>unknown</small>;
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return unit(seconds, "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return unit(minutes, "min");
  return (
    <>
      {unit(Math.floor(minutes / 60), "h")} {unit(minutes % 60, "min")}
    </>
  );
}
