"use client";
// The head of a host's page: what it is doing, for how long against its limit, why, and what to check next.
import Link from "next/link";
import type { ReactNode } from "react";
import { SignedFile } from "@/components/assurance/proof/signed-file";
import { formatPercent } from "@/server/domain/numbers";
import { Changed } from "@/components/ui/changed";
import { CopyButton } from "@/components/ui/copy-button";
import { LimitBar } from "@/components/ui/bars/limit-bar";
import { Facts } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { splitStatePath } from "@/components/ui/state-label";
import { formatDuration } from "@/components/ui/format/duration";
import { Age, Since, Time } from "@/components/ui/time/time";
import type { Tone } from "@/components/ui/tone";
import type { HostDetail } from "@/server/surfaces/trpc/types";
import type { Fact } from "@/components/hosts/one/facts/host-facts";
import { FailureLines } from "@/components/hosts/one/host-failure";
import { formatQueue } from "@/components/hosts/one/queue-text";
import { isBelow, routes } from "@/server/domain/console/routes";
import { useNow } from "@/components/ui/time/clock";

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
function AskedLines({ asked: { hold, abort }, stepEnds }: Pick<HostDetail, "asked" | "stepEnds">) {
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

/** What "check next" points to: tabs, pages and sections of the docs. Its acts are the buttons beside. */
function NextLinks({ next }: Pick<HostDetail, "next">) {
  const shown = next.filter(({ href, command }) => href !== null || command === null);
  if (shown.length === 0) return null;
  return (
    <p className="says next">
      <b className="text-soft">See:</b>{" "}
      {shown.map(({ words, href }, index) => (
        <span key={words}>
          {index === 0 ? "" : ", "}
          {href === null ? (
            words
          ) : (
            <Link className="link" href={href} scroll={isBelow(routes.help(), href)}>
              {words}
            </Link>
          )}
        </span>
      ))}
    </p>
  );
}

interface HostHeadProps {
  host: HostDetail;
  /** The kind of machine, and where it is. */
  what: string;
  facts: readonly Fact[];
  acts: ReactNode;
}

/** The state table says "Nothing: why" if a host waits for nothing. */
function formatWait(waitsFor: string): string {
  const [, why] = /^Nothing: (.+)$/.exec(waitsFor) ?? [];
  return why === undefined ? `Waiting for: ${waitsFor}.` : `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}

const sentence = (words: string): string => (/[.?]$/.test(words) ? words : `${words}.`);

/** The host's own status line, with the step's name while one is running. */
function saysText({ says, step, percent, live }: HostDetail): ReactNode {
  if (step === null || !live || says.startsWith(step)) return says;
  return (
    <>
      <span className="mono">{step}</span>: {says}
      {percent === null ? null : `, ${formatPercent(percent)}`}
    </>
  );
}

/** The top 200 px answer what is going on. */
export function HostHead({ host, what, facts, acts }: HostHeadProps) {
  const tone = host.overLimit && host.tone !== "failed" ? "attention" : host.tone;
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.hosts()}>
          Hosts
        </Link>
        <h1>{host.name}</h1>
        {host.fake ? (
          <span className="tone" data-tone="attention">
            fake hardware: there is no machine behind this host
          </span>
        ) : null}
        <span className="what">
          {what}{" "}
          {host.serial === null ? null : <CopyButton text={host.serial} what={`serial ${host.serial}`} />}
        </span>
        <SignedFile text={host.id} />
        <div className="acts">{acts}</div>
      </div>
      <div className="now" data-tone={tone}>
        <div>
          <StateLine host={host} tone={tone} />
          <StateSays host={host} />
        </div>
        <Facts facts={facts.map(({ term, words }) => [term, words])} />
      </div>
    </>
  );
}

/** The state, since when, and how much of its limit is used. */
function StateLine({ host, tone }: { host: HostDetail; tone: Tone }) {
  const { state, live, since, overLimit } = host;
  const { head, rest } = splitStatePath(state);
  const limitMs = host.limitMs === 0 ? null : host.limitMs;
  return (
    <p className="line">
      <Mark tone={tone} live={live && !overLimit} />
      <Changed of={state}>
        {head}
        {rest === "" ? null : ` / ${rest}`}
      </Changed>
      <span className="since">
        <Since at={since} />
        {limitMs === null ? null : overLimit ? (
          <OverLimit since={since} limitMs={limitMs} />
        ) : (
          <>, limit {formatDuration(limitMs)}</>
        )}
      </span>
      {limitMs === null ? null : <LimitBar since={since} limitMs={limitMs} />}
    </p>
  );
}

/** ", 3 min over its limit of 5 min". */
function OverLimit({ since, limitMs }: { since: Date; limitMs: number }) {
  const byMs = useNow() - since.getTime() - limitMs;
  return (
    <b className="tone" data-tone="attention">
      , {formatDuration(Math.max(0, byMs))} over its limit of {formatDuration(limitMs)}
    </b>
  );
}

/** What it is doing or waiting for, what was requested of it, whether it is overdue, and what to check next. */
function StateSays({ host }: { host: HostDetail }) {
  const queue = host.queue === null ? null : formatQueue(host.queue, host.site);
  const next = queue?.checkNext ?? host.checkNext;
  return (
    <>
      {queue === null ? (
        host.failure === null ? (
          <p className="says">{saysText(host)}</p>
        ) : (
          <>
            {host.tone === "failed" ? null : <p className="says">{saysText(host)}</p>}
            <FailureLines failure={host.failure} />
          </>
        )
      ) : (
        <p className="says">
          {queue.words}{" "}
          <Link className="link" href={routes.cleaning.queue()}>
            {host.queue?.braked === true ? "Show the brake" : "Queue and limits"}
          </Link>
        </p>
      )}
      <AskedLines asked={host.asked} stepEnds={host.stepEnds} />
      {host.overdueMs === null ? null : <Overdue byMs={host.overdueMs} />}
      {host.tone === "failed" || queue !== null || host.waitsFor === null ? null : (
        <p className="says next">{formatWait(host.waitsFor)}</p>
      )}
      {queue === null && host.failure !== null ? null : (
        <p className="says next">
          <b className="text-soft">{next === null ? "Nothing to do." : "Check next:"}</b>{" "}
          {next === null ? null : sentence(next)}
        </p>
      )}
      {queue === null && next !== null ? <NextLinks next={host.next} /> : null}
    </>
  );
}

function Overdue({ byMs }: { byMs: number }) {
  return (
    <p className="says next">
      <b className="tone" data-tone="attention">
        Overdue
      </b>{" "}
      by {formatDuration(byMs)}. The reclamation has exceeded its total time limit (time on hold, queued,
      failed or waiting for people does not count). It keeps running. If it makes no progress, abort it, then
      restart the plan.
    </p>
  );
}
