"use client";
// What the cells of the hosts table show; how columns lie is in column-looks.ts.
import { columnVisibilityFeature, createColumnHelper, tableFeatures } from "@tanstack/react-table";
import Link from "next/link";
import { Changed } from "@/components/ui/changed";
import { LimitBar } from "@/components/ui/limit-bar";
import { Progress } from "@/components/ui/progress";
import { StateLabel } from "@/components/ui/state-label";
import { Age } from "@/components/ui/time/time";
import type { HostRow } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

export const hostFeatures = tableFeatures({ columnVisibilityFeature });

const helper = createColumnHelper<typeof hostFeatures, HostRow>();

export const hostColumns = helper.columns([
  helper.display({
    id: "name",
    cell: ({ row }) => (
      <>
        <Link className="b" href={routes.host(row.original.name)} prefetch={false} tabIndex={-1} data-open="">
          {row.original.name}
        </Link>
        {row.original.fake ? (
          <span className="tone" data-tone="attention" title="No machine stands behind this host.">
            {" "}
            fake
          </span>
        ) : null}
      </>
    ),
  }),
  helper.display({
    id: "state",
    cell: ({ row: { original: host } }) => (
      <Changed of={host.state} className="cell">
        <StateLabel
          tone={host.overLimit && host.tone !== "failed" ? "attention" : host.tone}
          path={host.state}
          live={host.live && !host.overLimit}
        />
      </Changed>
    ),
  }),
  helper.display({
    id: "since",
    cell: ({ row: { original: host } }) => (
      <>
        {host.overdue ? (
          <span className="tone" data-tone="attention" title="The reclamation is over its total time limit.">
            overdue{" "}
          </span>
        ) : null}
        <Age at={host.stateSince} />
        <LimitBar since={host.stateSince} limitMs={host.limitMs} />
      </>
    ),
  }),
  helper.display({ id: "detail", cell: ({ row }) => <Detail host={row.original} /> }),
  helper.display({
    id: "health",
    cell: ({ row: { original: host } }) => (
      <span className={host.health.tone === "neutral" ? "n10" : "tone"} data-tone={host.health.tone}>
        {host.health.words}
      </span>
    ),
  }),
  helper.display({
    id: "tenant",
    cell: ({ row }) => (
      <span className="n10" title={row.original.tenantName ?? undefined}>
        {row.original.tenantName ?? "–"}
      </span>
    ),
  }),
  helper.display({ id: "rack", cell: ({ row }) => <span className="n10">{rackWords(row.original)}</span> }),
  helper.display({
    id: "sku",
    cell: ({ row }) => (
      <span className="n10 mono s" title={row.original.sku ?? undefined}>
        {row.original.sku ?? "none"}
      </span>
    ),
  }),
  helper.display({
    id: "lastReady",
    cell: ({ row }) => (
      <span className="n10">
        {row.original.lastReadyAt === null ? "never" : <Age at={row.original.lastReadyAt} short />}
      </span>
    ),
  }),
]);

const rackWords = (host: HostRow) => (host.rack === null ? host.site : `${host.site} / ${host.rack}`);

/** The running step with its progress, or the words for what the host waits for. */
function Detail({ host }: { host: HostRow }) {
  if (host.step === null) return <span title={host.detail ?? undefined}>{host.detail}</span>;
  return (
    <span title={host.detail ?? undefined}>
      {host.percent === null ? null : (
        <>
          <Progress percent={host.percent} widthPx={40} />
          <Changed of={Math.round(host.percent)} className="pc">
            {Math.round(host.percent)} %
          </Changed>{" "}
        </>
      )}
      <span className="mono">{host.step}</span>
    </span>
  );
}
