"use client";
// Failed hosts grouped by what their messages have in common: how many, which hardware, and who looks after it.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Fragment, useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Changed } from "@/components/ui/changed";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { Age, Time } from "@/components/ui/time/time";
import type { FailureGroup, FailureGroups } from "@/server/surfaces/trpc/types";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { FailureNote } from "@/components/failures/failure-note";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 2000;
const columns = 6;

const hostsWords = (count: number) => (count === 1 ? "1 host" : `${count.toLocaleString("en")} hosts`);

export function FailuresPage() {
  const trpc = useTRPC();
  const { data, refetch } = useSuspenseQuery(trpc.failures.groups.queryOptions());
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const [open, setOpen] = useState<string | null>(null);
  const snoozed = data.groups.filter((group) => group.snoozed).length;
  return (
    <>
      <CleaningHead
        what={
          data.hosts === 0
            ? "no host has failed"
            : `${hostsWords(data.hosts)} failed, with ${data.groups.length === 1 ? "one message" : `${data.groups.length} different messages`}${snoozed === 0 ? "" : `; ${snoozed} snoozed`}`
        }
      />
      {data.groups.length === 0 ? (
        <Empty title="No host has failed">
          Failed hosts are gathered here by what their messages have in common, so that one fault of many
          hosts is one line.
        </Empty>
      ) : (
        <table className="t wide failures" aria-label="Failures">
          <colgroup>
            <col />
            <col className="col-count" />
            <col className="col-cause p2" />
            <col className="col-model p3" />
            <col className="col-owner" />
            <col className="col-last" />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">Message</th>
              <th scope="col" className="r">
                Hosts
              </th>
              <th scope="col" className="p2">
                Causes
              </th>
              <th scope="col" className="p3">
                Models
              </th>
              <th scope="col">Owner</th>
              <th scope="col" className="r">
                Last
              </th>
            </tr>
          </thead>
          <tbody>
            {data.groups.map((group) => (
              <Fragment key={group.digest}>
                <GroupRow
                  group={group}
                  open={group.digest === open}
                  onOpen={() => setOpen(group.digest === open ? null : group.digest)}
                />
                {group.digest === open ? (
                  <tr className="fold">
                    <td colSpan={columns}>
                      <GroupDetail group={group} groups={data} />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const countsWords = (counts: readonly (readonly [string, number])[]) =>
  counts.map(([name, count]) => (counts.length === 1 ? name : `${name} ${count}`)).join(", ");

function GroupRow({ group, open, onOpen }: { group: FailureGroup; open: boolean; onOpen: () => void }) {
  const causes = countsWords(group.causes.map(({ cause, count }) => [cause, count]));
  const models = countsWords(group.models.map(({ model, count }) => [model, count]));
  return (
    <tr className={group.snoozed ? "off" : undefined}>
      <td data-m="a" className="message">
        <span className="st">
          <Mark tone={group.snoozed ? "waiting" : "failed"} label={group.snoozed ? "snoozed" : "failed"} />
          <button type="button" className="opener bare whole" aria-expanded={open} onClick={onOpen}>
            {group.pattern}
          </button>
        </span>
      </td>
      <td className="r" data-m="b">
        <Changed of={group.count}>{group.count.toLocaleString("en")}</Changed>
      </td>
      <td className="n10 p2" title={causes}>
        {causes}
      </td>
      <td className="n10 p3" title={models}>
        {models}
      </td>
      <td data-m="c">
        {group.snoozed && group.snoozedUntil !== null ? (
          <span className="n10">
            snoozed until <Time at={group.snoozedUntil} />
          </span>
        ) : (
          (group.ownerName ?? <span className="n9">nobody</span>)
        )}
      </td>
      <td className="r n10" data-m="d">
        <Age at={group.lastAt} />
      </td>
    </tr>
  );
}

/** The newest hosts with their own messages, ways to all of them, and the note. */
function GroupDetail({ group, groups }: { group: FailureGroup; groups: FailureGroups }) {
  return (
    <div className="step-detail">
      <dl className="pairs">
        <dt>Newest message</dt>
        <dd>{group.message}</dd>
        <dt>Since</dt>
        <dd>
          <Time at={group.firstAt} />, last <Time at={group.lastAt} />
        </dd>
        <dt>Where</dt>
        <dd>
          {group.sites.map((site) => `site ${site}`).join(", ")};{" "}
          {countsWords(group.skus.map(({ sku, count }) => [sku, count])) || "no SKU"}
        </dd>
        <dt>Hosts</dt>
        <dd>
          {group.newest.map(({ hostId, name, message }, index) => (
            <Fragment key={hostId}>
              {index === 0 ? "" : ", "}
              <Link className="link" href={routes.host(name)} title={message}>
                {name}
              </Link>
            </Fragment>
          ))}
          {group.count > group.newest.length ? ` and ${group.count - group.newest.length} more` : ""}.{" "}
          <Link className="link" href={routes.hosts({ q: group.filter })}>
            {group.count === 1
              ? "Open it among the hosts"
              : `All ${group.count.toLocaleString("en")} among the hosts`}
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
                clean {hostsWords(group.count)} by hand
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
