"use client";
// Firmware: which versions of each component the fleet runs, on how many hosts, and how many of these hosts' baselines want another one.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import { useListView, useSettled } from "@/components/ui/resource-table/list-view";
import { usePagedList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { firmwareFilter } from "@/server/domain/hosts/host-filter";
import { routes } from "@/server/domain/console/routes";
import type { FirmwareRow } from "@/server/surfaces/trpc/types";
import { RolloutsSection } from "@/components/hosts/inventory/rollouts-section";
import { firmwareQuery } from "@/components/hosts/inventory/firmware-query";

const column = columnsOf<FirmwareRow>();

const columns = [
  column.link(
    "component",
    "Component",
    ({ component, version }) => ({
      words: component,
      href: routes.hosts({ q: firmwareFilter(component, version) }),
    }),
    { linkClass: "link" },
  ),
  column.text("version", "Version", ({ version }) => version, {
    width: "16%",
    narrow: "bottom-start",
    className: "mono",
  }),
  column.text("model", "Model", ({ model }) => (model === "" ? null : model), {
    width: "26%",
    narrow: "line",
  }),
  column.count("hosts", "Hosts", ({ hosts }) => hosts, { width: 72, narrow: "top-end" }),
  column.count("asWanted", "As wanted", ({ asWanted }) => asWanted, { from: "medium", width: 96 }),
  column.cell(
    "differ",
    "Differ",
    ({ differ }) =>
      differ === 0 ? null : (
        <span className="marked-text">
          <Mark tone="failed" label="not as the baseline wants" />
          <span>{formatCount(differ)}</span>
        </span>
      ),
    {
      width: 80,
      align: "end",
      narrow: "bottom-end",
      firstOrder: "descending",
      sort: ({ differ }) => differ,
      title: ({ differ }) => (differ === 0 ? null : "The SKU's baseline names another version"),
    },
  ),
  column.time("read", "Oldest reading", ({ readAt }) => readAt, {
    from: "wide",
    width: 120,
    align: "end",
    className: "text-quiet",
  }),
];

const firmwareRows = {
  rowsOf: ({ rows }: { readonly rows: readonly FirmwareRow[] }) => rows,
  rowId: ({ model, component, version }: FirmwareRow) => `${component}\u0000${model}\u0000${version}`,
};

export function FirmwarePage() {
  const trpc = useTRPC();
  const held = useListView();
  const asked = useSettled(held[0].filter);
  const read = useInfiniteQuery({ ...firmwareQuery(trpc, asked), placeholderData: keepPreviousData });
  const unread = read.data?.pages[0]?.unread ?? 0;
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.hosts()}>
          Hosts
        </Link>
        <h1>Firmware</h1>
        <span className="what">as the BMCs last listed it</span>
        {unread === 0 ? null : <span className="what">not known of {formatCounted(unread, "host")}</span>}
      </div>
      <RolloutsSection />
      <ResourceTable
        name="firmware"
        noun="version"
        caption="Firmware"
        list={usePagedList(read, firmwareRows)}
        columns={columns}
        rowId={firmwareRows.rowId}
        searches={{
          held,
          placeholder: "Part of a model, component or version",
          hint: "Each word must match the model, component or version.",
        }}
        empty={
          <Empty title="No firmware yet">
            Firmware appears here when a BMC lists it: when its host is verified, and in each reclamation.
          </Empty>
        }
      />
    </>
  );
}
