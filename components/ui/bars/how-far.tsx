// The line under the head of a page that follows many hosts: progress with a bar and a clock, and what is left to do.
import type { ReactNode } from "react";
import { Progress } from "@/components/ui/bars/progress";
import { Changed } from "@/components/ui/changed";
import { formatCount } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import { Since } from "@/components/ui/time/time";
import type { Tone } from "@/components/ui/tone";

interface HowFarProps {
  tone: Tone;
  /** Nothing is in progress any more. */
  over: boolean;
  done: number;
  of: number;
  /** Null if not started. */
  since: Date | null;
  says: ReactNode;
  /** Further lines below. */
  children?: ReactNode;
}

export function HowFar({ tone, over, done, of, since, says, children }: HowFarProps) {
  return (
    <div className="now" data-tone={tone}>
      <div>
        <p className="line">
          <Mark tone={tone} live={!over} />
          <Changed of={done}>
            {formatCount(done)} of {formatCount(of)} done
          </Changed>
          <Progress percent={of === 0 ? 100 : (done / of) * 100} widthPx={160} />
          <span className="since">{since === null ? "not started" : <Since at={since} />}</span>
        </p>
        <p className="says" role="status">
          {says}
        </p>
        {children}
      </div>
    </div>
  );
}
