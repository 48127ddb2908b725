"use client";
// The instances as a table; a row opens to show what its tenant saw, in order.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Fragment } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Changed } from "@/components/ui/changed";
import { CopyButton } from "@/components/ui/copy-button";
import { Mark } from "@/components/ui/mark";
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";
import { Age, Time } from "@/components/ui/time/time";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

interface InstancesTableProps {
  rows: readonly InstanceRow[];
  /** The provider's people see whose it is, and on which host. */
  ofProvider: boolean;
  selection: { ids: ReadonlySet<string>; toggle: (id: string) => void; toggleAll: () => void } | undefined;
  at: string | null;
  onAt: (id: string) => void;
  open: string | null;
  onOpen: (id: string) => void;
  onRelease: ((row: InstanceRow) => void) | undefined;
  loading: boolean;
}

const historyMs = 1500;

export function InstancesTable({
  rows,
  ofProvider,
  selection,
  at,
  onAt,
  open,
  onOpen,
  onRelease,
  loading,
}: InstancesTableProps) {
  const columns =
    5 + (ofProvider ? 2 : 0) + (selection === undefined ? 0 : 1) + (onRelease === undefined ? 0 : 1);
  const held = rows.filter((row) => row.endedAt === null);
  const all = selection !== undefined && held.length > 0 && held.every((row) => selection.ids.has(row.id));
  return (
    <table className="t wide instances" aria-label="Instances" aria-busy={loading}>
      <colgroup>
        {selection === undefined ? null : <col className="col-check" />}
        <col className="col-name" />
        <col className="col-status" />
        <col />
        {ofProvider ? <col className="col-host" /> : null}
        {ofProvider ? <col className="col-tenant p2" /> : null}
        <col className="col-place p3" />
        <col className="col-created" />
        {onRelease === undefined ? null : <col className="col-act" />}
      </colgroup>
      <thead>
        <tr>
          {selection === undefined ? null : (
            <th scope="col">
              <input
                className="check"
                type="checkbox"
                aria-label={`Select the ${held.length} instances held`}
                checked={all}
                onChange={selection.toggleAll}
              />
            </th>
          )}
          <th scope="col">Instance</th>
          <th scope="col">Status</th>
          <th scope="col">The machine</th>
          {ofProvider ? <th scope="col">Host</th> : null}
          {ofProvider ? (
            <th scope="col" className="p2">
              Tenant
            </th>
          ) : null}
          <th scope="col" className="p3">
            Site, SKU
          </th>
          <th scope="col" className="r">
            Made
          </th>
          {onRelease === undefined ? null : (
            <th scope="col">
              <span className="vh">Release</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Fragment key={row.id}>
            <tr
              className={row.id === at ? "at" : undefined}
              aria-selected={selection === undefined ? undefined : selection.ids.has(row.id)}
              onClick={() => onAt(row.id)}
            >
              {selection === undefined ? null : (
                <td>
                  {row.endedAt === null ? (
                    <input
                      className="check"
                      type="checkbox"
                      aria-label={`Select ${row.name}`}
                      checked={selection.ids.has(row.id)}
                      onChange={() => selection.toggle(row.id)}
                    />
                  ) : null}
                </td>
              )}
              <td data-m="a">
                <button
                  type="button"
                  className="opener b"
                  aria-expanded={row.id === open}
                  onClick={() => onOpen(row.id)}
                >
                  {row.name}
                </button>
              </td>
              <td data-m="b">
                <Changed of={row.status} className="st">
                  <Mark tone={row.tone} live={row.tone === "working"} label="" />
                  <span>{row.status}</span>
                </Changed>
              </td>
              <td className="n11" data-m="c">
                <Changed of={row.hostWords}>{row.hostWords ?? "no longer followed"}</Changed>
              </td>
              {ofProvider ? (
                <td>
                  {row.host === null ? "–" : <Link href={routes.host(row.host.name)}>{row.host.name}</Link>}
                </td>
              ) : null}
              {ofProvider ? <td className="n10 p2">{row.tenantName}</td> : null}
              <td className="n10 p3">
                {row.site ?? "–"}
                {row.sku === null ? null : <span className="mono s">, {row.sku}</span>}
              </td>
              <td className="r n10">
                <Age at={row.createdAt} />
              </td>
              {onRelease === undefined ? null : (
                <td className="r" data-m="d">
                  {row.endedAt === null ? (
                    <Button
                      small
                      kind="plain"
                      onClick={() => onRelease(row)}
                      disabledReason={
                        row.release.allowed ? undefined : (row.release.reason ?? "It cannot be released now")
                      }
                      aria-label={`Release… ${row.name}`}
                    >
                      Release…
                    </Button>
                  ) : null}
                </td>
              )}
            </tr>
            {row.id === open ? (
              <tr className="fold">
                <td colSpan={columns}>
                  <InstanceStory row={row} />
                </td>
              </tr>
            ) : null}
          </Fragment>
        ))}
        {loading ? <SkeletonRows rows={6} columns={columns} /> : null}
      </tbody>
    </table>
  );
}

/** What the tenant saw: each status with its message and time. */
function InstanceStory({ row }: { row: InstanceRow }) {
  const trpc = useTRPC();
  const history = useQuery(trpc.instances.history.queryOptions({ id: row.id }));
  useLiveRefresh(() => history.refetch(), { everyMs: historyMs });
  return (
    <div className="story">
      <p>
        <span className="mono">{row.id}</span> <CopyButton text={row.id} what="the instance's id" />
      </p>
      {history.isError ? (
        <ProblemNotice error={history.error} before="Its history could not be read." />
      ) : null}
      {history.isPending ? <Skeleton rows={2} /> : null}
      <ol>
        {history.data?.map((line, index) => (
          <li key={index}>
            <Time at={line.at} /> <b className="b">{line.status}</b> {line.message}
          </li>
        ))}
      </ol>
    </div>
  );
}
