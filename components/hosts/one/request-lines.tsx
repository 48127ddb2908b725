"use client";
// What was requested of the running cleaning: a hold in force (by whom, why, until when), or a hold or abort that waits for the running step.
import { useNow } from "@/components/ui/time/clock";
import { formatDuration } from "@/components/ui/format/duration";
import { Age, Time } from "@/components/ui/time/time";
import type { HostDetail } from "@/server/surfaces/trpc/types";

/** "about 4 min"; "any moment" once it is past. */
function Left({ at }: { at: Date }) {
  const left = at.getTime() - useNow();
  return <>{left <= 0 ? "any moment" : `about ${formatDuration(left)}`}</>;
}

/** "Waiting for the erase deploy.erase_nvme to end, about 4 min." */
function WaitsFor({ stepEnds }: Pick<HostDetail, "stepEnds">) {
  if (stepEnds === null) return <>Waiting for what still runs on the host to end.</>;
  const { step, erases, expectedAt, latestAt } = stepEnds;
  return (
    <>
      Waiting for {erases ? "the erase " : ""}
      <span className="mono">{step}</span> to end
      {expectedAt !== null ? (
        <>
          , <Left at={expectedAt} />
        </>
      ) : latestAt === null ? null : (
        <>
          , at <Time at={latestAt} /> at the latest
        </>
      )}
      .
    </>
  );
}

/** Empty if nothing was requested. */
export function AskedLines({ asked: { hold, abort }, stepEnds }: Pick<HostDetail, "asked" | "stepEnds">) {
  return (
    <>
      {hold === null ? null : hold.since === null ? (
        <p className="says">
          <b>Hold requested</b> by {hold.byName}: {hold.reason}. <WaitsFor stepEnds={stepEnds} />
        </p>
      ) : (
        <p className="says">
          <b>On hold</b> by {hold.byName}, <Age at={hold.since} /> so far: {hold.reason}.{" "}
          {hold.until === null ? (
            "It lasts until it is resumed."
          ) : (
            <>
              It expires at <Time at={hold.until} />, in <Left at={hold.until} />.
            </>
          )}
        </p>
      )}
      {abort === null ? null : (
        <p className="says">
          <b>Abort requested</b> by {abort.byName}, <Age at={abort.at} /> ago.{" "}
          <WaitsFor stepEnds={stepEnds} />
        </p>
      )}
    </>
  );
}
