"use client";
// One enrolment, live: the progress of its hosts, and what to do about those that stopped.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, type ReactNode } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useMore } from "@/components/ui/table/use-more";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { HowFar } from "@/components/ui/bars/how-far";
import { Tabs } from "@/components/ui/tabs";
import { routes } from "@/server/domain/console/routes";
import { enrolmentStages } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentStage } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentView } from "@/server/surfaces/trpc/types";
import { EnrolLink } from "@/components/hosts/enrolment/enrol-link";
import { LinesTable } from "@/components/hosts/enrolment/lines-table";
import { RetryStopped } from "@/components/hosts/enrolment/line-acts";
import { StopReasons } from "@/components/hosts/enrolment/stop-reasons";
import { linesQuery, stageLooks } from "@/components/hosts/enrolment/enrolment-text";

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
  const more = useMore(list);
  const unread = (before: string) => (
    <ProblemNotice error={list.error} before={before} onRetry={() => void list.refetch()} />
  );
  if (view === undefined) return unread("The enrolment could not be read.");
  return (
    <>
      <Head view={view}>
        {mayWriteHosts ? <RetryStopped view={view} onDone={() => void list.refetch()} /> : null}
      </Head>
      <EnrolledSoFar view={view} />
      <StopReasons reasons={view.reasons} />
      <Stages view={view} stage={stage} />
      <LinesTable
        lines={rows}
        total={stage === null ? view.lines : view.counts[stage]}
        mayAct={mayWriteHosts}
        loading={list.isFetchingNextPage}
        onEnd={more}
        onDone={() => void list.refetch()}
        problem={list.isError ? unread("It could not be read again.") : undefined}
        empty={<Empty title="No hosts at this stage now">Hosts move between stages as they progress.</Empty>}
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
        <EnrolLink />
      </div>
    </div>
  );
}

function EnrolledSoFar({ view: { counts, lines, over, at } }: { view: EnrolmentView }) {
  const waiting = counts.stopped + counts.confirm;
  return (
    <HowFar
      tone={waiting > 0 ? "attention" : over ? "good" : "working"}
      over={over}
      done={counts.done}
      of={lines - counts.refused}
      since={at}
      says={
        <>
          {waiting > 0
            ? `${waiting === 1 ? "One host needs" : `${formatCount(waiting)} hosts need`} attention.`
            : over
              ? "No host needs attention."
              : "The hosts continue automatically."}
          {counts.refused === 0
            ? null
            : ` ${counts.refused === 1 ? "One line was" : `${formatCount(counts.refused)} lines were`} not enrolled.`}
        </>
      }
    />
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
