"use client";
// The hosts of an act, each with where it stands: a real table of which only the rows in sight are drawn.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import { Progress } from "@/components/ui/progress";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useNarrow } from "@/components/ui/use-narrow";
import type { BulkHost } from "@/server/surfaces/trpc/types";
import { statusWords } from "@/components/bulk-acts/run-words";
import { routes } from "@/server/domain/console/routes";

interface RunHostsTableProps {
  hosts: readonly BulkHost[];
  /** Of this status, loaded or not. */
  total: number;
  loading: boolean;
  onEnd: () => void;
}

const rowPx = 32;
const narrowRowPx = 57;
const endRows = 20;
const columns = 5;

export function RunHostsTable({ hosts, total, loading, onEnd }: RunHostsTableProps) {
  const narrow = useNarrow();
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    if (body.current !== null) setScrollMargin(body.current.getBoundingClientRect().top + scrollY);
  }, [narrow, loading]);
  const virtual = useWindowVirtualizer({
    count: hosts.length,
    estimateSize: () => (narrow ? narrowRowPx : rowPx),
    getItemKey: (index) => hosts[index]?.hostId ?? index,
    overscan: 12,
    scrollMargin,
    initialRect: { width: 1440, height: 900 },
  });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hosts.length > 0 && lastIndex >= hosts.length - endRows) onEnd();
  }, [lastIndex, hosts.length, onEnd]);
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <table
      className="t wide run-hosts"
      aria-label="Hosts of the run"
      aria-rowcount={total + 1}
      aria-busy={loading}
    >
      <colgroup>
        <col className="col-host" />
        <col className="col-status" />
        <col className="col-progress" />
        <col />
        <col className="col-reclamation p2" />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col">Host</th>
          <th scope="col">Result</th>
          <th scope="col">Step</th>
          <th scope="col">Why, or what it does</th>
          <th scope="col" className="p2">
            Run
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {before > 0 ? <Room height={before} /> : null}
        {items.map((item) => {
          const host = hosts[item.index];
          return host === undefined ? null : (
            <HostLine
              key={host.hostId}
              host={host}
              index={item.index}
              measure={narrow ? virtual.measureElement : undefined}
            />
          );
        })}
        {after > 0 ? <Room height={after} /> : null}
        {loading ? <SkeletonRows rows={hosts.length === 0 ? 8 : 3} columns={columns} /> : null}
      </tbody>
    </table>
  );
}

function Room({ height }: { height: number }) {
  return (
    <tr aria-hidden="true" className="room">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function HostLine({
  host,
  index,
  measure,
}: {
  host: BulkHost;
  index: number;
  measure: ((element: HTMLElement | null) => void) | undefined;
}) {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td data-m="a">
        {host.state === null ? (
          <span className="n10">{host.name}, gone</span>
        ) : (
          <Link className="b" href={routes.host(host.name)} prefetch={false}>
            {host.name}
          </Link>
        )}
      </td>
      <td data-m="b">
        <Changed of={host.status} className="st">
          <Mark tone={host.tone} live={host.status === "running"} label="" />
          <span>{statusWords[host.status]}</span>
        </Changed>
      </td>
      <td className="n10" title={host.step ?? undefined}>
        {host.percent === null ? (
          <span className="mono s">{host.step}</span>
        ) : (
          <>
            <Progress percent={host.percent} />
            {Math.round(host.percent)} %
          </>
        )}
      </td>
      <td className="n11" data-m="w" title={host.message ?? undefined}>
        {host.message ??
          (host.outcome === null
            ? host.state?.replaceAll("/", " / ")
            : `${host.outcome}; ${host.state?.replaceAll("/", " / ") ?? ""}`)}
      </td>
      <td className="mono s p2">
        {host.reclamationNumber === null || host.reclamationId === null || host.state === null ? null : (
          <Link href={routes.host(host.name, { reclamation: host.reclamationId })} prefetch={false}>
            {host.reclamationNumber}
          </Link>
        )}
      </td>
    </tr>
  );
}
