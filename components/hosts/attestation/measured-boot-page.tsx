"use client";
// Measured boot: hosts by state, measurements that no bundle expects, and the bundles.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { BundlesSection } from "@/components/hosts/attestation/bundles-section";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { measurementStateText } from "@/server/domain/attestation/measurement-text";
import { routes } from "@/server/domain/console/routes";
import { formatCount } from "@/server/domain/numbers";
import type { PendingGroup } from "@/server/surfaces/trpc/types";

const refreshMs = 5_000;

export function MeasuredBootPage() {
  const trpc = useTRPC();
  const { data, refetch } = useSuspenseQuery(trpc.attestation.overview.queryOptions());
  useLiveRefresh(refetch, { everyMs: refreshMs });
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.hosts()}>
          Hosts
        </Link>
        <h1>Measured boot</h1>
        <span className="what">
          {data.states.length === 0
            ? "no site asks its hosts for it"
            : data.states
                .map(({ state, hosts }) => `${formatCount(hosts)} ${measurementStateText[state]}`)
                .join(", ")}
        </span>
      </div>
      <div className="sec">
        <h2>Measurements without a bundle</h2>
        <span className="sum cut">hosts with the same hardware and values, together</span>
      </div>
      <DataTable
        caption="Measurements without a bundle"
        columns={columns}
        rows={data.pending}
        rowId={({ site, manufacturer, model, digest }) => `${site} ${manufacturer} ${model} ${digest}`}
        empty={
          <Empty title="No measurements wait">
            What a host measured appears here if no approved bundle of its hardware expects it.
          </Empty>
        }
      />
      <BundlesSection bundles={data.bundles} />
    </>
  );
}

const column = columnsOf<PendingGroup>();
const columns = [
  column.name("hardware", "Hardware", ({ manufacturer, model }) => `${manufacturer} ${model}`),
  column.text("site", "Site", ({ site }) => site, { width: 120, narrow: "bottom-start" }),
  column.count("hosts", "Hosts", ({ hosts }) => hosts, { width: 80, narrow: "top-end" }),
  column.link(
    "host",
    "For example",
    ({ host: { name } }) => ({ words: name, href: routes.host(name, { tab: "attestation" }) }),
    { ...{ width: 190, narrow: "line", rowHeader: false, linkClass: "link" } },
  ),
  column.text("digest", "All values", ({ digest }) => digest, {
    ...{ from: "wide", width: 260, className: "mono text-small" },
  }),
  column.time("since", "Since", ({ since }) => since, { width: 140, align: "end", narrow: "bottom-end" }),
];
