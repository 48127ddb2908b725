"use client";
// The cells of the hosts table; column layout is in column-looks.ts.
import Link from "next/link";
import type { ReactNode } from "react";
import { StandingLabel } from "@/components/assurance/standing";
import { columnIds, hostColumnOf, type ColumnId } from "@/components/hosts/list/column-looks";
import { standingText, standingTone } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";
import { formatPercent } from "@/server/domain/numbers";
import { Changed } from "@/components/ui/changed";
import { LimitBar } from "@/components/ui/bars/limit-bar";
import { Progress } from "@/components/ui/bars/progress";
import { StateLabel } from "@/components/ui/state-label";
import type { TableColumn } from "@/components/ui/table/columns";
import { Age } from "@/components/ui/time/time";
import type { HostRow } from "@/server/surfaces/trpc/types";

const cells: Readonly<Record<ColumnId, (host: HostRow) => ReactNode>> = {
  name: (host) => (
    <>
      <Link className="text-medium" href={routes.host(host.name)} prefetch={false} tabIndex={-1} data-open="">
        {host.name}
      </Link>
      {host.fake ? (
        <span className="tone" data-tone="attention" title="There is no machine behind this host.">
          {" "}
          fake
        </span>
      ) : null}
    </>
  ),
  state: (host) => (
    <Changed of={host.state} className="cell">
      <StateLabel
        tone={host.overLimit && host.tone !== "failed" ? "attention" : host.tone}
        path={host.state}
        live={host.live && !host.overLimit}
      />
    </Changed>
  ),
  standing: (host) => <StandingLabel standing={host.standing} quiet={isUnderway(host)} />,
  since: (host) => (
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
  detail: (host) => <Detail host={host} />,
  health: ({ health: { words, tone } }) =>
    tone === "neutral" ? (
      <span className="text-quiet">{words}</span>
    ) : (
      <span className="tone" data-tone={tone}>
        {words}
      </span>
    ),
  tenant: (host) => <span className="text-quiet">{host.tenantName ?? "–"}</span>,
  rack: (host) => (
    <span className="text-quiet">{host.rack === null ? host.site : `${host.site} / ${host.rack}`}</span>
  ),
  sku: (host) => <span className="text-quiet mono text-small">{host.sku ?? "none"}</span>,
  lastReady: (host) => (
    <span className="text-quiet">
      {host.lastReadyAt === null ? "never" : <Age at={host.lastReadyAt} short />}
    </span>
  ),
};

const titles: Partial<Record<ColumnId, (host: HostRow) => string | null>> = {
  detail: (host) => host.detail,
  health: (host) => host.health.words,
  tenant: (host) => host.tenantName,
  sku: (host) => host.sku,
};

/** All columns; the URL says which are hidden. */
export const hostColumns: readonly TableColumn<HostRow>[] = columnIds.map((id) => {
  const { sortable, ...layout } = hostColumnOf(id);
  const title = titles[id];
  return {
    id,
    ...layout,
    cell: cells[id],
    ...(title === undefined ? {} : { title }),
    ...(sortable === true ? { sort: "server" as const } : {}),
  };
});

/** A reclamation that is in progress, or has stopped: its state says more than that nothing is proven yet. */
const isUnderway = ({ tone, standing }: HostRow): boolean => tone !== "neutral" && standing === "notProven";

/** For a page without room for the column: what a host at rest is, unless it is proven. */
function standingMark(host: HostRow): string | null {
  if (host.standing === "proven" || isUnderway(host)) return null;
  // Of a host that was never reclaimed, its state says so; of a Ready one nothing else does.
  if (host.standing === "notChecked" && host.state !== "Ready") return null;
  return standingText[host.standing];
}

/**
 * The running step with its progress, or what the host waits for. Health comes first if the page has no room for its column. A failure starts
 * with what happened.
 */
function Detail({ host }: { host: HostRow }) {
  const { words, tone } = host.health;
  const marked =
    tone === "neutral" ? null : (
      <span className="tone until-medium" data-tone={tone}>
        {words}
        {host.brief === null ? "" : ": "}
      </span>
    );
  const standing = standingMark(host);
  if (host.step === null)
    return (
      <>
        {standing === null ? null : (
          <span className="tone until-medium" data-tone={standingTone[host.standing]}>
            {standing}{" "}
          </span>
        )}
        {host.tone === "failed" ? null : marked}
        {host.brief}
        {host.tone === "failed" && marked !== null ? (
          <span className="text-quiet until-medium">; {words}</span>
        ) : null}
      </>
    );
  return (
    <>
      {marked}
      {host.percent === null ? null : (
        <>
          <Progress percent={host.percent} widthPx={40} />
          <Changed of={Math.round(host.percent)} className="percent-text">
            {formatPercent(host.percent)}
          </Changed>{" "}
        </>
      )}
      <span className="mono">{host.step}</span>
    </>
  );
}
