"use client";
// Hosts by state, per site, as bars and as a table.
import Link from "next/link";
import { formatCount } from "@/server/domain/numbers";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { Tone } from "@/components/ui/tone";
import type { FleetSummary, SiteCounts } from "@/server/surfaces/trpc/types";
import { SiteBars, type SiteBar } from "@/components/fleet/charts/site-bars";
import { routes } from "@/server/domain/console/routes";

type Part = Exclude<keyof SiteCounts, "inUse">;

/** Links to the hosts behind a part. */
const partHref = (part: Part, site: string) =>
  routes.hosts({ q: `is:${part} site:${/[\s,"]/.test(site) ? `"${site}"` : site}` });

/** The parts that are drawn, in order. */
const parts = [
  { name: "ready", words: "ready", look: "ready" },
  { name: "provider", words: "enrolled, manageable", look: "provider" },
  { name: "working", words: "working", look: "working" },
  { name: "waiting", words: "waiting", look: "waiting" },
  { name: "overLimit", words: "over limit", look: "attention" },
  { name: "failed", words: "failed", look: "failed" },
] as const satisfies readonly { name: Part; words: string; look: "ready" | "provider" | Tone }[];

const toBar = (site: FleetSummary["sites"][number]): SiteBar => ({
  name: site.name,
  hosts: site.hosts,
  parts: parts.flatMap(({ name, words, look }) =>
    site.counts[name] === 0
      ? []
      : [{ words, look, count: site.counts[name], href: partHref(name, site.name) }],
  ),
  bad: [
    site.counts.overLimit > 0 ? `${site.counts.overLimit} over limit` : "",
    site.counts.failed > 0 ? `${site.counts.failed} failed` : "",
  ]
    .filter(Boolean)
    .join(", "),
});

/** Hosts in use are not in the bars: the page is not about them. */
export function StatesSection({ sites }: { sites: FleetSummary["sites"] }) {
  return (
    <ChartFrame
      title="Hosts by state"
      sum="not in use, by site"
      chart={
        <>
          <SiteBars sites={sites.map(toBar)} />
          <div className="legend">
            {parts.map(({ name, words, look }) => (
              <span key={name} className="marked-text text-compact text-quiet">
                <svg width="10" height="10" aria-hidden="true">
                  <rect
                    width="10"
                    height="10"
                    {...(look === "ready"
                      ? { className: "fill-pale" }
                      : look === "provider"
                        ? { className: "off" }
                        : { className: "fill-tone", "data-tone": look })}
                  />
                </svg>
                {words}
              </span>
            ))}
          </div>
        </>
      }
      table={<DataTable caption="Hosts by state" columns={columns} rows={sites} rowId={(site) => site.id} />}
    />
  );
}

const column = columnsOf<FleetSummary["sites"][number]>();

const columns: readonly TableColumn<FleetSummary["sites"][number]>[] = [
  column.name("site", "Site", (site) => site.name),
  ...parts.map(({ name, words }): TableColumn<FleetSummary["sites"][number]> =>
    column.cell(
      name,
      words,
      (site) => (
        <Link href={partHref(name, site.name)}>
          {formatCount(site.counts[name])}
          <span className="narrow-label"> {words}</span>
        </Link>
      ),
      { align: "end", narrow: "line" },
    ),
  ),
  column.cell(
    "inUse",
    "in use",
    (site) => (
      <>
        {formatCount(site.counts.inUse)}
        <span className="narrow-label"> in use</span>
      </>
    ),
    { align: "end", narrow: "line" },
  ),
];
