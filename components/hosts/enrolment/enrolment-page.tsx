"use client";
// One enrolment, live: the progress of its hosts, and what to do about those that stopped.
import { keepPreviousData, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { type ReactNode, useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useMore } from "@/components/ui/table/use-more";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { HowFar } from "@/components/ui/bars/how-far";
import { Tabs } from "@/components/ui/tabs";
import { routes } from "@/server/domain/console/routes";
import { type EnrolmentStage, enrolmentStages } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentLine, EnrolmentView } from "@/server/surfaces/trpc/types";
import { EnrolLink } from "@/components/hosts/enrolment/enrol-link";
import { linesQuery, stageLooks } from "@/components/hosts/enrolment/enrolment-text";
import { Mark } from "@/components/ui/mark";
import { ChangedMark } from "@/components/ui/changed-mark";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { useSay } from "@/components/ui/toast";
import { problemOf } from "@/components/trpc/query-client";
import { hostActions } from "@/server/domain/hosts/host-actions";

// Buttons for a host whose enrolment stopped: one-click acts are done here, everything else on the host's page.
interface LineActsProps {
  readonly line: EnrolmentLine;
  readonly onConfirm: (line: EnrolmentLine) => void;
}

function LineActs({ line, onConfirm }: LineActsProps) {
  const {
    acts: [act],
    host,
  } = line;
  if (host === null || act === undefined) return null;
  if (act !== "provide")
    return (
      <Link className="btn small" href={routes.host(host.name)} prefetch={false}>
        {act === "look" || act === "delete" || act === "retry" ? "Open host" : hostActions[act].words}
      </Link>
    );
  return (
    <Button small onClick={() => onConfirm(line)}>
      Confirm…
    </Button>
  );
}

interface ConfirmLineProps {
  /** The line as it was when the dialog opened. */
  readonly line: EnrolmentLine;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Rendered beside the table, not in a row: rows come and go, and change when the window becomes narrow. */
function ConfirmLine({ line: { host, identity }, ...rest }: ConfirmLineProps) {
  if (host === null) return null;
  return (
    <ActDialog
      title={`Provide ${host.name}?`}
      consequence={
        <>
          <p>
            You confirm that {host.name} is the machine with serial {identity?.serial ?? "(none)"},{" "}
            {identity?.manufacturer} {identity?.model}, system UUID {identity?.systemUuid}.
          </p>
          <p>{hostActions.provide.consequence}</p>
        </>
      }
      confirmWords="Provide"
      send={(_, client) =>
        client.host.act.mutate({
          hostId: host.hostId,
          intent: "provide",
          stateVersion: host.stateVersion,
        })
      }
      said={`${host.name} is being provided`}
      {...rest}
    />
  );
}

/** Retries every host that stopped during BMC verification. */
function RetryStopped({ view, onDone }: { readonly view: EnrolmentView; readonly onDone: () => void }) {
  const client = useTRPCClient();
  const say = useSay();
  const retry = useMutation({
    mutationFn: () => client.enrolment.retry.mutate({ id: view.id }),
    onSuccess: ({ asked }) =>
      say(asked === 0 ? "No host stopped in Enroll" : `${formatCounted(asked, "host")} verified again`),
    onError: (error) => say(problemOf(error).words),
    onSettled: onDone,
  });
  if (view.counts.stopped === 0) return null;
  return (
    <Button busy={retry.isPending} onClick={() => retry.mutate()}>
      Retry stopped hosts
    </Button>
  );
}

/** Requests tests of the BMCs of all hosts that have not been Ready; each host's page has its report when it is there. */
function TestBmcs({ view, onDone }: { readonly view: EnrolmentView; readonly onDone: () => void }) {
  const client = useTRPCClient();
  const say = useSay();
  const test = useMutation({
    mutationFn: () => client.bmc.testEnrolment.mutate({ id: view.id }),
    onSuccess: ({ asked }) =>
      say(
        asked === 0
          ? "No BMC is left to test"
          : `${formatCounted(asked, "BMC is", "BMCs are")} being tested; the tab Inventory of each host shows its report when it is there`,
      ),
    onError: (error) => say(problemOf(error).words),
    onSettled: onDone,
  });
  if (view.lines === view.counts.done + view.counts.refused + view.counts.gone) return null;
  return (
    <Button busy={test.isPending} onClick={() => test.mutate()}>
      Test BMCs
    </Button>
  );
}

interface LinesTableProps extends Pick<DataTableProps<EnrolmentLine>, "loading" | "empty" | "problem"> {
  readonly lines: readonly EnrolmentLine[];
  readonly total: number;
  readonly mayAct: boolean;
  readonly onEnd: () => void;
  readonly onDone: () => void;
}

const narrowRowPx = 96;

/** The lines of an enrolment: where each host is, what its BMC answered, and the act that lets it continue. */
function LinesTable({ lines, total, mayAct, onEnd, onDone, ...table }: LinesTableProps) {
  const [asked, setAsked] = useState<EnrolmentLine>();
  const columns = useMemo(() => (mayAct ? [...looks, actsColumn(setAsked)] : looks), [mayAct]);
  return (
    <>
      <DataTable
        {...table}
        caption="Hosts of the enrolment"
        fullWidth
        columns={columns}
        rows={lines}
        rowId={({ line }) => String(line)}
        total={total}
        virtual={{ narrowRowPx, onEnd }}
      />
      {asked === undefined ? null : (
        <ConfirmLine line={asked} onClose={() => setAsked(undefined)} onDone={onDone} />
      )}
    </>
  );
}

/** What is wrong, or what is happening, then what to do. */
const saysText = ({ says, advice, faults }: EnrolmentLine): string =>
  [
    faults.length === 0
      ? says
      : faults.map(({ column, message }) => (column === "" ? message : `${column}: ${message}`)).join("; "),
    advice,
  ]
    .filter((words) => words !== "")
    .join(". ");

const formatIdentity = ({ identity, certificate }: EnrolmentLine): string => {
  const said =
    identity === null
      ? []
      : [identity.manufacturer, identity.model, identity.serial, identity.systemUuid].filter(
          (part) => part !== null,
        );
  return [
    ...said,
    ...(certificate === null ? [] : [`certificate ${formatFingerprint(certificate.sha256).slice(0, 11)}…`]),
  ].join(", ");
};

const column = columnsOf<EnrolmentLine>();

const looks = [
  column.count("line", "Line", ({ line }) => line, { width: 64 }),
  column.cell(
    "host",
    "Host",
    ({ name, host }) =>
      host === null ? (
        <span className="text-quiet">{name ?? "no name"}</span>
      ) : (
        <Link className="text-medium" href={routes.host(host.name)} prefetch={false}>
          {host.name}
        </Link>
      ),
    { width: 152, spaced: true, narrow: "top-start", rowHeader: true },
  ),
  column.cell(
    "stage",
    "Stage",
    ({ stage, host }) => <ChangedMark {...stageLooks[stage]} live={host?.live === true} />,
    { width: 128, narrow: "top-end" },
  ),
  column.cell("state", "State", ({ host }) => host?.state.replaceAll("/", " / "), {
    width: 176,
    from: "wide",
    className: "text-soft",
    title: ({ host }) => host?.state,
  }),
  column.cell("identity", "BMC reports", formatIdentity, {
    width: 216,
    from: "medium",
    className: "text-soft",
    title: (line) =>
      `${formatIdentity(line)}${line.certificate === null ? "" : `\nSHA-256 ${formatFingerprint(line.certificate.sha256)}`}`,
  }),
  column.text("says", "What to do", saysText, { narrow: "line", className: "text-soft" }),
];

const actsColumn = (onConfirm: (line: EnrolmentLine) => void): TableColumn<EnrolmentLine> =>
  column.cell("acts", "Actions", (line) => <LineActs line={line} onConfirm={onConfirm} />, {
    labelHidden: true,
    width: 148,
    align: "end",
    narrow: "bottom-start",
  });

type Reason = EnrolmentView["reasons"][number];

const whoText = ({ name, hosts }: Reason): string =>
  hosts === 1 ? name : `${name} and ${formatCounted(hosts - 1, "more host")}`;

/** Messages from programs come without a full stop. */
const sentence = (words: string): string => words.replace(/[.\s]*$/, ".");

/** Why hosts of an enrolment stopped, in full; a table cell has room for the beginning only. */
function StopReasons({ reasons }: Pick<EnrolmentView, "reasons">) {
  if (reasons.length === 0) return null;
  return (
    <ul className="stop-reasons" aria-label="Why hosts stopped">
      {reasons.map((reason) => (
        <li key={reason.name}>
          <Mark tone="failed" label="" />
          <span>
            <b className="text-medium">{whoText(reason)}</b>: {sentence(reason.says)}{" "}
            <span className="text-quiet">{reason.advice}</span>
            {reason.acts.includes("assignSku") ? (
              <>
                {" "}
                <Link className="link" href={routes.skus()}>
                  Open SKUs
                </Link>
              </>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

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
        {mayWriteHosts ? (
          <>
            <TestBmcs view={view} onDone={() => void list.refetch()} />
            <RetryStopped view={view} onDone={() => void list.refetch()} />
          </>
        ) : null}
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
