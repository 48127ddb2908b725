"use client";
// Acts on many hosts: those that were started, newest first.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { Age, Time } from "@/components/ui/time/time";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { runTitle } from "@/components/bulk-acts/run-words";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 3000;

export function RunsPage() {
  const trpc = useTRPC();
  const { data: runs, refetch } = useSuspenseQuery(trpc.bulk.list.queryOptions());
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const asking = runs.filter((run) => run.askedAllAt === null).length;
  return (
    <>
      <CleaningHead
        what={`acts on many hosts, the last ${runs.length === 1 ? "one" : runs.length}${asking === 0 ? "" : `; ${asking} still asking`}`}
      />
      {runs.length === 0 ? (
        <Empty
          title="Nothing was asked of many hosts yet"
          act={
            <Link className="btn" href={routes.hosts()}>
              Choose hosts
            </Link>
          }
        >
          Select hosts on the hosts page, by row or all that a filter finds, and choose an act. What became of
          each is kept here.
        </Empty>
      ) : (
        <table className="t wide runs-list" aria-label="Runs">
          <colgroup>
            <col />
            <col className="col-count" />
            <col className="col-filter p2" />
            <col className="col-asked p3" />
            <col className="col-who" />
            <col className="col-when" />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" className="r">
                Hosts
              </th>
              <th scope="col" className="p2 tail">
                Chosen by
              </th>
              <th scope="col" className="p3">
                Asked
              </th>
              <th scope="col">Who</th>
              <th scope="col" className="r">
                Begun
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <td data-m="a" title={run.steps.join(", ")}>
                  <Link className="b" href={routes.cleaning.run(run.id)}>
                    {runTitle(run)}
                  </Link>
                </td>
                <td className="r" data-m="b">
                  {run.total.toLocaleString("en")}
                </td>
                <td className="n10 p2 tail" title={run.filter ?? undefined}>
                  {run.filter === null ? "rows" : run.filter === "" ? "all hosts" : run.filter}
                </td>
                <td className="p3">
                  <span className="st">
                    <Mark
                      tone={run.askedAllAt === null ? "working" : "neutral"}
                      label=""
                      live={run.askedAllAt === null}
                    />
                    <span className="n10">
                      {run.askedAllAt === null ? "still asking" : <Time at={run.askedAllAt} />}
                    </span>
                  </span>
                </td>
                <td className="n10" data-m="c">
                  {run.createdByName}
                </td>
                <td className="r n10" data-m="d">
                  <Age at={run.startedAt ?? run.createdAt} /> ago
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
