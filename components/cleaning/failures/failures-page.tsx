"use client";
// Failed hosts grouped by cause and device model: how many hosts, which hardware, and the owner.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Fragment } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { Empty } from "@/components/ui/empty";
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import { wholeList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { Time } from "@/components/ui/time/time";
import type { FailureGroup, FailureGroups } from "@/server/surfaces/trpc/types";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { FailureNote } from "@/components/cleaning/failures/failure-note";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 2000;

/** "nvme 4, bios 1"; without the number if there is only one. */
const formatCounts = (counts: readonly (readonly [string, number])[]) =>
  counts.map(([name, count]) => (counts.length === 1 ? name : `${name} ${count}`)).join(", ");

const column = columnsOf<FailureGroup>();

const columns = [
  column.opener(
    "message",
    "Cause",
    ({ digest, pattern, snoozed }) => ({
      id: digest,
      words: pattern,
      mark: <Mark tone={snoozed ? "waiting" : "failed"} label={snoozed ? "snoozed" : "failed"} />,
    }),
    { className: "message", openerClass: "bare whole" },
  ),
  column.cell("hosts", "Hosts", ({ count }) => <Changed of={count}>{formatCount(count)}</Changed>, {
    width: 72,
    align: "end",
    narrow: "top-end",
    firstOrder: "descending",
    sort: ({ count }) => count,
  }),
  column.text("device", "Device model", ({ model }) => model, {
    width: 200,
    from: "medium",
    narrow: "line",
    className: "text-quiet",
  }),
  column.text(
    "cause",
    "State",
    ({ causes }) => formatCounts(causes.map(({ cause, count }) => [cause, count])),
    { width: 184, from: "medium", className: "text-quiet" },
  ),
  column.text(
    "models",
    "Host models",
    ({ models }) => formatCounts(models.map(({ model, count }) => [model, count])),
    { width: 200, from: "wide", className: "text-quiet" },
  ),
  column.cell(
    "owner",
    "Owner",
    ({ snoozed, snoozedUntil, ownerName }) =>
      snoozed && snoozedUntil !== null ? (
        <span className="text-quiet">
          snoozed until <Time at={snoozedUntil} />
        </span>
      ) : (
        (ownerName ?? <span className="text-faint">nobody</span>)
      ),
    { width: 160, narrow: "bottom-start", sort: ({ ownerName }) => ownerName },
  ),
  column.age("last", "Last", ({ lastAt }) => lastAt, { width: 96, narrow: "bottom-end" }),
];

export function FailuresPage() {
  const trpc = useTRPC();
  const read = useSuspenseQuery(trpc.failures.groups.queryOptions());
  const { data, refetch } = read;
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const snoozed = data.groups.filter((group) => group.snoozed).length;
  return (
    <>
      <CleaningHead
        what={
          data.hosts === 0
            ? "no host has failed"
            : `${formatCounted(data.hosts, "host")} failed, with ${data.groups.length === 1 ? "one cause" : `${data.groups.length} different causes`}${snoozed === 0 ? "" : `; ${snoozed} snoozed`}`
        }
      />
      <ResourceTable
        name="failures"
        noun="group"
        caption="Failures"
        className="failures"
        list={wholeList(read, data.groups)}
        columns={columns}
        rowId={({ digest }) => digest}
        rowClassName={({ snoozed: isSnoozed }) => (isSnoozed ? "off" : undefined)}
        detail={(group) => <GroupDetail group={group} groups={data} />}
        empty={
          <Empty title="No host has failed">
            Failed hosts are grouped here by cause and device model, so a fault shared by many hosts is one
            row.
          </Empty>
        }
      />
    </>
  );
}

function CheckNext({ words }: { words: string | null }) {
  if (words === null) return null;
  return (
    <>
      <dt>What to check next</dt>
      <dd>{words}</dd>
    </>
  );
}

/** The newest hosts with their own messages, links to all of them, and the note. */
function GroupDetail({ group, groups }: { group: FailureGroup; groups: FailureGroups }) {
  return (
    <div className="step-detail">
      <dl className="pairs">
        <dt>Newest failure</dt>
        <dd>{group.message}</dd>
        <CheckNext words={group.checkNext} />
        <dt>Since</dt>
        <dd>
          <Time at={group.firstAt} />, last <Time at={group.lastAt} />
        </dd>
        <dt>Where</dt>
        <dd>
          {group.sites.map((site) => `site ${site}`).join(", ")};{" "}
          {formatCounts(group.skus.map(({ sku, count }) => [sku, count])) || "no SKU"}
        </dd>
        <dt>Hosts</dt>
        <dd>
          {group.newest.map(({ hostId, name, brief }, index) => (
            <Fragment key={hostId}>
              {index === 0 ? "" : ", "}
              <Link className="link" href={routes.host(name)} title={brief}>
                {name}
              </Link>
            </Fragment>
          ))}
          {group.count > group.newest.length ? ` and ${group.count - group.newest.length} more` : ""}.{" "}
          <Link className="link" href={routes.hosts({ q: group.filter })}>
            {group.count === 1
              ? "Show on the Hosts page"
              : `All ${formatCount(group.count)} on the Hosts page`}
          </Link>
          {groups.mayNote ? (
            <>
              ;{" "}
              <Link
                className="link"
                href={routes.cleaning.manual(
                  group.count === 1 && group.newest[0] !== undefined
                    ? { hosts: [group.newest[0].name] }
                    : { filter: group.filter },
                )}
              >
                clean {formatCounted(group.count, "host")} manually
              </Link>
            </>
          ) : null}
        </dd>
      </dl>
      <FailureNote
        key={group.notedAt?.getTime() ?? 0}
        group={group}
        people={groups.people}
        mayNote={groups.mayNote}
      />
    </div>
  );
}
