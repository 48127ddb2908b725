"use client";
// One enrolment: how far its hosts are, live, and what to do about those that stopped.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useCallback, useMemo, type ReactNode } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Changed } from "@/components/ui/changed";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { Mark } from "@/components/ui/mark";
import { Progress } from "@/components/ui/bars/progress";
import { Tabs } from "@/components/ui/tabs";
import { Since } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import { enrolmentStages } from "@/server/domain/enrolment/progress";
import type { EnrolmentStage } from "@/server/domain/enrolment/progress";
import type { EnrolmentView } from "@/server/surfaces/trpc/types";
import { LinesTable } from "@/components/enrolment/lines-table";
import { RetryStopped } from "@/components/enrolment/line-acts";
import { linesQuery, stageLooks } from "@/components/enrolment/enrolment-words";

const refreshMs = 1500;

interface EnrolmentPageProps {
  readonly id: string;
  readonly stage: EnrolmentStage | null;
}

export function EnrolmentPage({ id, stage }: EnrolmentPageProps) {
  const trpc = useTRPC();
  const { mayWriteHosts } = useMe();
  const list = useInfiniteQuery(
    trpc.enrolment.get.infiniteQueryOptions(linesQuery(id, stage), {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
    }),
  );
  const view = list.data?.pages[0];
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  useLiveRefresh(() => list.refetch(), { everyMs: refreshMs });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const unread = (before: string) => (
    <ProblemNotice error={list.error} before={before} onRetry={() => void list.refetch()} />
  );
  if (view === undefined) return unread("The enrolment could not be read.");
  return (
    <>
      <Head view={view}>
        {mayWriteHosts ? <RetryStopped view={view} onDone={() => void list.refetch()} /> : null}
      </Head>
      <HowFar view={view} />
      <Stages view={view} stage={stage} />
      <LinesTable
        lines={rows}
        total={stage === null ? view.lines : view.counts[stage]}
        mayAct={mayWriteHosts}
        loading={isFetchingNextPage}
        onEnd={more}
        onDone={() => void list.refetch()}
        problem={list.isError ? unread("It could not be read again.") : undefined}
        empty={
          <Empty title="No host is at this stage now">Hosts move between stages as they progress.</Empty>
        }
      />
    </>
  );
}

function Head({ view, children }: { view: EnrolmentView; children: ReactNode }) {
  return (
    <div className="head">
      <Link className="back" href={routes.enrolments.list()}>
        Enrolments
      </Link>
      <h1>Enrolment of {formatCounted(view.lines, "host")}</h1>
      <span className="what">
        site {view.site}; by {view.byName}
        {view.fileName === null ? null : `; from ${view.fileName}`}
      </span>
      <div className="acts">
        {children}
        <Link className="btn" href={routes.enrolments.create()}>
          Enrol hosts
        </Link>
      </div>
    </div>
  );
}

/** The line under the head: done and going, with a bar. */
function HowFar({ view: { counts, lines, over, at } }: { view: EnrolmentView }) {
  const waiting = counts.stopped + counts.confirm;
  const enrolled = lines - counts.refused;
  const tone = waiting > 0 ? "attention" : over ? "good" : "working";
  return (
    <div className="now" data-tone={tone}>
      <div>
        <p className="line">
          <Mark tone={tone} live={!over} />
          <Changed of={counts.done}>
            {formatCount(counts.done)} of {formatCount(enrolled)} done
          </Changed>
          <Progress percent={enrolled === 0 ? 100 : (counts.done / enrolled) * 100} widthPx={160} />
          <span className="since">
            <Since at={at} />
          </span>
        </p>
        <p className="says" role="status">
          {waiting > 0
            ? `${waiting === 1 ? "One host needs" : `${formatCount(waiting)} hosts need`} a person.`
            : over
              ? "No host needs a person."
              : "The hosts go on by themselves."}
          {counts.refused === 0
            ? null
            : ` ${counts.refused === 1 ? "One line was" : `${formatCount(counts.refused)} lines were`} not enrolled.`}
        </p>
      </div>
    </div>
  );
}

function Stages({ view, stage }: { view: EnrolmentView; stage: EnrolmentStage | null }) {
  const all = {
    href: routes.enrolments.one(view.id),
    words: "All lines",
    count: formatCount(view.lines),
    current: stage === null,
  };
  const each = enrolmentStages
    .filter((name) => view.counts[name] > 0 || name === stage)
    .map((name) => ({
      href: routes.enrolments.one(view.id, { stage: name }),
      words: stageLooks[name].words,
      count: formatCount(view.counts[name]),
      current: stage === name,
    }));
  return <Tabs label="Hosts by stage" tabs={[all, ...each]} />;
}
