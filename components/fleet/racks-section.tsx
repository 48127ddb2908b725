"use client";
// Racks, with a square for each host in the colour of its state. With too many hosts, each rack is a bar of counts.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Skeleton } from "@/components/ui/skeleton";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import { hostGroups, type HostGroup } from "@/server/domain/hosts/host-groups";
import { routes } from "@/server/domain/console/routes";
import type { FleetRacks } from "@/server/surfaces/trpc/types";

const refreshMs = 10_000;

type Rack = FleetRacks["racks"][number];

/** Each group's label and the look of its square: the tone of its states, paler for hosts at rest. */
const looks = {
  failed: { words: "failed", look: "failed" },
  overLimit: { words: "over limit", look: "attention" },
  waiting: { words: "waiting", look: "waiting" },
  working: { words: "working", look: "working" },
  ready: { words: "ready", look: "ready" },
  inUse: { words: "in use", look: "in-use" },
  provider: { words: "enrolled, manageable", look: "provider" },
} as const satisfies Record<HostGroup, { words: string; look: string }>;

const isGroup = (name: string): name is HostGroup => hostGroups.some((group) => group === name);
/** Groups that need a person come first. */
const order = Object.keys(looks).filter(isGroup);

const rackName = ({ rack }: Rack) => (rack === null ? "no rack" : rack);
const quoted = (value: string) => (/[\s,"*]/.test(value) ? `"${value}"` : value);
const rackHref = ({ site, rack }: Rack) =>
  rack === null ? undefined : routes.hosts({ q: `site:${quoted(site)} rack:${quoted(rack)}` });

export function RacksSection({ view }: { view: FleetFilter }) {
  const trpc = useTRPC();
  const { hours: _, ...part } = view;
  const { data, error, refetch } = useQuery({
    ...trpc.fleet.racks.queryOptions(part),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  if (data === undefined)
    return error === null ? (
      <Skeleton rows={4} />
    ) : (
      <ProblemNotice error={error} before="The racks could not be read." onRetry={() => void refetch()} />
    );
  const { racks, hosts } = data;
  return (
    <ChartFrame
      title="Racks"
      sum={`${formatCounted(hosts, "host")} in ${formatCounted(racks.filter(({ rack }) => rack !== null).length, "rack")}`}
      chart={
        racks.length === 0 ? (
          <Empty title="No hosts here">
            Hosts are grouped by the rack given at enrolment, or set with Change place on the host&apos;s
            page.
          </Empty>
        ) : (
          <>
            <div className="racks" aria-hidden="true">
              {racks.map((rack) => (
                <RackMap key={`${rack.site} ${rack.rack}`} rack={rack} />
              ))}
            </div>
            <Legend />
            <p className="visually-hidden">
              {racks.map((rack) => `${rackName(rack)}: ${countsText(rack)}`).join("; ")}
            </p>
          </>
        )
      }
      table={
        <DataTable
          caption="Racks"
          columns={columns}
          rows={racks}
          rowId={({ site, rack }) => JSON.stringify([site, rack])}
        />
      }
    />
  );
}

const countsText = ({ counts }: Rack): string =>
  order
    .filter((group) => counts[group] > 0)
    .map((group) => `${counts[group]} ${looks[group].words}`)
    .join(", ");

/** For the pointer only: keyboard and screen reader users have the table. */
function RackMap({ rack }: { rack: Rack }) {
  const href = rackHref(rack);
  return (
    <div className="rack" title={countsText(rack)}>
      <span className="cut">
        {href === undefined ? (
          rackName(rack)
        ) : (
          <Link tabIndex={-1} href={href}>
            {rackName(rack)}
          </Link>
        )}
      </span>
      {rack.hosts.length === 0 ? (
        <span className="rack-bar">
          {order.map((group) =>
            rack.counts[group] === 0 ? null : (
              <i key={group} data-look={looks[group].look} style={{ flexGrow: rack.counts[group] }} />
            ),
          )}
        </span>
      ) : (
        <span className="rack-hosts">
          {rack.hosts.map(({ name, slot, label, group }) => (
            <Link
              key={name}
              tabIndex={-1}
              href={routes.host(name)}
              data-look={looks[group].look}
              title={`${name}${slot === null ? "" : `, slot ${slot}`}: ${label}`}
            />
          ))}
        </span>
      )}
    </div>
  );
}

function Legend() {
  return (
    <div className="legend" aria-hidden="true">
      {order.map((group) => (
        <span key={group} className="marked-text text-compact text-quiet">
          <i className="rack-key" data-look={looks[group].look} />
          {looks[group].words}
        </span>
      ))}
    </div>
  );
}

const column = columnsOf<Rack>();

const columns: readonly TableColumn<Rack>[] = [
  column.cell(
    "rack",
    "Rack",
    (rack) => {
      const href = rackHref(rack);
      return href === undefined ? rackName(rack) : <Link href={href}>{rackName(rack)}</Link>;
    },
    { narrow: "top-start", rowHeader: true },
  ),
  column.text("site", "Site", ({ site }) => site, { narrow: "top-end", className: "text-quiet" }),
  ...order.map((group): TableColumn<Rack> =>
    column.cell(
      group,
      looks[group].words,
      ({ counts }) => (
        <>
          {formatCount(counts[group])}
          <span className="narrow-label"> {looks[group].words}</span>
        </>
      ),
      { align: "end", narrow: "line", firstOrder: "descending", sort: ({ counts }) => counts[group] },
    ),
  ),
];
