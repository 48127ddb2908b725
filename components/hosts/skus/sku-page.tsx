"use client";
// One SKU: its components, its baseline, its hosts, and its history.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCounted } from "@/server/domain/numbers";
import { StateLabel } from "@/components/ui/state-label";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { routes } from "@/server/domain/console/routes";
import { describeState } from "@/server/domain/lifecycle/state-table";
import type { SkuDetail } from "@/server/surfaces/trpc/types";
import { SkuDialog } from "@/components/hosts/skus/edit-sku";
import { CaptureDialog, RemoveDialog } from "@/components/hosts/skus/sku-dialogs";
import {
  formatBaseline,
  formatCpu,
  formatDrives,
  formatNotCompared,
  formatParts,
} from "@/components/hosts/skus/sku-text";
import { useWhyNotWrite } from "@/components/hosts/skus/skus-page";

const refreshMs = 5000;

export function SkuPage({ name }: { name: string }) {
  const trpc = useTRPC();
  const { data: sku, refetch } = useSuspenseQuery(trpc.skus.get.queryOptions({ sku: name }));
  useLiveRefresh(refetch, { everyMs: refreshMs });
  return (
    <>
      <div className="head">
        <h1>{sku.name}</h1>
        <span className="what">{formatCounted(sku.hostCount, "host")}</span>
        <SkuActs sku={sku} />
      </div>
      <div className="sec">
        <h2>Components</h2>
        <span className="sum cut">what a host of this SKU must have, exactly</span>
      </div>
      <Facts sku={sku} />
      <Baseline sku={sku} />
      <div className="sec">
        <h2>Hosts</h2>
        <span className="sum cut">
          {differingText(sku)}
          {sku.hosts.length < sku.hostCount ? `the first ${sku.hosts.length} of ${sku.hostCount}` : ""}
        </span>
        <span className="end">
          <Link href={routes.hosts({ q: `sku:"${sku.name}"` })}>All on the hosts page</Link>
        </span>
      </div>
      <DataTable
        caption={`Hosts of ${sku.name}`}
        columns={hostColumns}
        rows={sku.hosts}
        rowId={({ id }) => id}
        empty={
          <Empty title="No hosts">
            A host without a SKU gets it when its inventory matches, or when a person assigns it.
          </Empty>
        }
      />
      <div className="sec">
        <h2>History</h2>
        <span className="sum cut">
          actions on this SKU; changes made by a site document are in the site&apos;s history
        </span>
      </div>
      <DataTable
        caption={`History of ${sku.name}`}
        columns={historyColumns}
        rows={sku.history}
        rowId={({ at, action }) => `${at.toISOString()} ${action}`}
        empty={
          <Empty title="No changes yet">The SKU was created by a site document, or with the fleet.</Empty>
        }
      />
    </>
  );
}

/** A server of 0.2.0 does not tell it. */
const differingText = ({ differing }: SkuDetail): string => {
  if (differing === undefined) return "how many differ is not known; ";
  return differing === 0 ? "" : `${formatCounted(differing, "host differs", "hosts differ")}; `;
};

const dialogs = { edit: SkuDialog, capture: CaptureDialog, remove: RemoveDialog } as const;

function SkuActs({ sku }: { sku: SkuDetail }) {
  const whyNot = useWhyNotWrite();
  const [asked, setAsked] = useState<keyof typeof dialogs>();
  const Asked = asked === undefined ? undefined : dialogs[asked];
  return (
    <div className="acts">
      <Button small disabledReason={whyNot} onClick={() => setAsked("edit")}>
        Edit…
      </Button>
      <Button
        small
        disabledReason={whyNot ?? (sku.hosts.length === 0 ? "No host has this SKU" : undefined)}
        onClick={() => setAsked("capture")}
      >
        Capture baseline…
      </Button>
      <Button
        small
        disabledReason={
          whyNot ?? (sku.hostCount > 0 ? `${formatCounted(sku.hostCount, "host")} with this SKU` : undefined)
        }
        onClick={() => setAsked("remove")}
      >
        Delete…
      </Button>
      {Asked === undefined ? null : <Asked sku={sku} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

function Facts({ sku: { id, components, priorities } }: { sku: SkuDetail }) {
  const { manufacturer, product, memoryBytes, infiniband } = components;
  const set = Object.keys(priorities).length;
  return (
    <dl className="pairs">
      <dt>Product</dt>
      <dd>
        {manufacturer} {product}
      </dd>
      <dt>CPUs</dt>
      <dd>{formatCpu(components)}</dd>
      <dt>Memory</dt>
      <dd title={`${memoryBytes} bytes`}>{formatBytes(memoryBytes)}</dd>
      <dt>Drives</dt>
      <dd>{formatDrives(components)}</dd>
      <dt>InfiniBand</dt>
      <dd>{infiniband === 0 ? "none" : formatCounted(infiniband, "device")}</dd>
      <dt>Parts</dt>
      <dd>{formatParts(components)}</dd>
      <dt>Not compared</dt>
      <dd>{formatNotCompared(components)}</dd>
      <dt>Priorities</dt>
      <dd>
        {set === 0
          ? "inherited from the site"
          : formatCounted(set, "step with its own", "steps with their own")}{" "}
        <Link href={routes.cleaning.steps({ sku: id })}>Steps</Link>
      </dd>
    </dl>
  );
}

function Baseline({ sku: { name, components } }: { sku: SkuDetail }) {
  const { baseline } = components;
  const { firmware = [], ...rest } = baseline ?? {};
  return (
    <>
      <div className="sec">
        <h2>Baseline</h2>
        <span className="sum cut">
          {formatBaseline(components) ?? "none: firmware and BIOS are not compared"}
        </span>
      </div>
      {firmware.length === 0 ? null : (
        <DataTable
          caption={`Firmware of ${name}`}
          columns={firmwareColumns}
          rows={firmware}
          rowId={({ component }) => component}
        />
      )}
      {Object.keys(rest).length === 0 ? null : (
        <pre className="log" tabIndex={0} aria-label={`Baseline of ${name} besides firmware`}>
          {JSON.stringify(rest, null, 2)}
        </pre>
      )}
    </>
  );
}

const firmwareColumns: readonly TableColumn<{ readonly component: string; readonly version: string }>[] = [
  {
    id: "component",
    label: "Component",
    narrow: "top-start",
    rowHeader: true,
    sort: ({ component }) => component,
    cell: ({ component }) => component,
  },
  { id: "version", label: "Version", narrow: "top-end", className: "mono", cell: ({ version }) => version },
];

const skuDetailColumnKit = columnsOf<SkuDetail["hosts"][number]>();

const hostColumns = [
  skuDetailColumnKit.cell(
    "name",
    "Host",
    ({ name }) => (
      <Link className="text-medium" href={routes.host(name)} prefetch={false} data-open="">
        {name}
      </Link>
    ),
    { narrow: "top-start", rowHeader: true, sort: ({ name }) => name },
  ),
  skuDetailColumnKit.cell(
    "state",
    "State",
    ({ state }) => <StateLabel tone={describeState(state).tone} path={state} />,
    { narrow: "bottom-start", sort: ({ state }) => state },
  ),
  skuDetailColumnKit.cell(
    "maintenance",
    "Maintenance",
    ({ inMaintenance }) => (inMaintenance ? "in maintenance" : ""),
    { from: "medium", className: "text-quiet" },
  ),
];

const actText: ReadonlyMap<string, string> = new Map([
  ["sku.create", "Created manually"],
  ["sku.createFromHost", "Created from a host"],
  ["sku.change", "Changed"],
  ["sku.captureBaseline", "Baseline captured"],
]);

const skuDetailColumn = columnsOf<SkuDetail["history"][number]>();

const historyColumns = [
  skuDetailColumn.time("at", "When", ({ at }) => at, { width: 140, narrow: "top-end" }),
  skuDetailColumn.cell("act", "Action", ({ action }) => actText.get(action) ?? action, {
    width: 160,
    narrow: "top-start",
    rowHeader: true,
  }),
  skuDetailColumn.text("by", "By", ({ byName }) => byName, {
    width: 180,
    from: "medium",
    className: "text-quiet",
    none: "unknown",
  }),
  skuDetailColumn.cell("what", "Details", ({ words }) => words.join("; "), {
    narrow: "line",
    className: "text-quiet",
    title: ({ words }) => words.join("\n"),
  }),
];
