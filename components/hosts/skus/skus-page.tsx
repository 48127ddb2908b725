"use client";
// SKUs with their hosts, and groups of similar hosts without a SKU.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { DataTable } from "@/components/ui/table/data-table";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import type { SkuClusterLine, SkuList, SkuRow, UnreadableSkuLine } from "@/server/surfaces/trpc/types";
import { NewSku, SkuDialog } from "@/components/hosts/skus/edit-sku";
import { formatBaseline, formatCpu, formatDrives } from "@/components/hosts/skus/sku-text";
import { Notice } from "@/components/ui/notice";
import { RemoveDialog } from "@/components/hosts/skus/sku-dialogs";
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonText } from "@/components/ui/form/schemas";
import { chooseNone, HostChoices, hostSpec } from "@/components/hosts/skus/host-choices";
import { biosNames, bmcChosen, revisionsOf, useProposal } from "@/components/hosts/skus/use-proposal";

const schema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(128, "At most 128 characters"),
  hostId: z.string().min(1, "Select a host"),
  baseline: z.boolean(),
  bios: biosNames,
  bmc: bmcChosen,
  reason: reasonText(),
});

const start: Omit<z.input<typeof schema>, "name" | "hostId"> = {
  ...{ baseline: false, bios: [], bmc: [], reason: "" },
};

interface MakeSkuProps {
  readonly cluster: SkuClusterLine;
  readonly onClose: () => void;
}

/** Rendered beside the table, not in a row: rows come and go, and change when the window becomes narrow. */
function MakeSkuDialog({ cluster, onClose }: MakeSkuProps) {
  // The group as it was when the dialog opened; refetches do not change it.
  const [seen] = useState(cluster);
  /** The host whose baseline is captured; empty: none. */
  const [reference, setReference] = useState("");
  const proposal = useProposal(reference).data;
  return (
    <ActFormDialog
      title="Create a SKU from a host"
      consequence={<Consequence {...seen} />}
      confirmWords="Create SKU"
      schema={schema}
      values={{ ...start, name: seen.name, hostId: seen.hosts[0]?.id ?? "" }}
      onValues={({ baseline, hostId }) => setReference(baseline ? hostId : "")}
      fields={(values, set) => ({
        name: { label: "Name", maxLength: 128 },
        hostId: hostSpec({ label: "Host", hosts: seen.hosts, set }),
        baseline: {
          label: "Capture baseline",
          aside:
            "firmware versions, lockdown and the selected settings of this host; hosts cleaned without the baseline are cleaned again",
          onChosen: () => chooseNone(set),
        },
        bios:
          reference === "" || proposal === undefined ? null : (
            <HostChoices
              proposal={proposal}
              before={undefined}
              chosen={values}
              onBios={(bios) => set("bios", bios)}
              onBmc={(bmc) => set("bmc", bmc)}
            />
          ),
        reason: { label: "Reason", maxLength: 500 },
      })}
      send={(input, client) =>
        client.skus.createFromHost.mutate({ ...input, ...revisionsOf(proposal), priorities: {} })
      }
      said={(made) => `SKU ${made.name} created. Waiting hosts are matched with it.`}
      stale={(trpc) => [trpc.skus]}
      onClose={onClose}
    />
  );
}

function Consequence({ components, count }: SkuClusterLine) {
  return (
    <p>
      {components.manufacturer} {components.product}, {formatCpu(components)}, drives:{" "}
      {formatDrives(components)}. {formatCounted(count, "host")} without a SKU{" "}
      {count === 1 ? "matches" : "match"} it: those that wait for a SKU get it at once, others with their next
      inventory.
    </p>
  );
}

interface UnreadableSkusProps {
  readonly skus: readonly UnreadableSkuLine[];
  /** Why this user may not write SKUs. */
  readonly whyNot: string | undefined;
}

const dialogs = { repair: SkuDialog, remove: RemoveDialog } as const;

/** Empty if every SKU can be read. */
function UnreadableSkus({ skus, whyNot }: UnreadableSkusProps) {
  const [asked, setAsked] = useState<{
    readonly kind: keyof typeof dialogs;
    readonly sku: UnreadableSkuLine;
  }>();
  const Asked = asked === undefined ? undefined : dialogs[asked.kind];
  if (skus.length === 0) return null;
  return (
    <section aria-label="Unreadable SKUs">
      <Notice tone="attention">
        {formatCounted(skus.length, "SKU")} cannot be read, so no host is matched with{" "}
        {skus.length === 1 ? "it" : "them"}. Repair or delete {skus.length === 1 ? "it" : "them"}.
      </Notice>
      <DataTable
        caption="Unreadable SKUs"
        columns={columnsFor(whyNot, (kind, sku) => setAsked({ kind, sku }))}
        rows={skus}
        rowId={({ id }) => id}
      />
      {Asked === undefined || asked === undefined ? null : (
        <Asked sku={asked.sku} onClose={() => setAsked(undefined)} />
      )}
    </section>
  );
}

const column = columnsOf<UnreadableSkuLine>();

const columnsFor = (
  whyNot: string | undefined,
  ask: (kind: keyof typeof dialogs, sku: UnreadableSkuLine) => void,
): readonly TableColumn<UnreadableSkuLine>[] => [
  column.name("name", "Name", ({ name }) => name, { width: 200 }),
  column.count("hosts", "Hosts", ({ hosts }) => hosts, { width: 80, narrow: "top-end" }),
  column.cell("faults", "What is wrong", ({ faults }) => faults.join("; "), {
    spaced: true,
    narrow: "bottom-start",
    title: ({ faults }) => faults.join("\n"),
  }),
  column.acts(168, (sku) => (
    <span className="row-acts">
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Repair ${sku.name}`}
        onClick={() => ask("repair", sku)}
      >
        Repair…
      </Button>
      <Button
        small
        disabledReason={
          whyNot ?? (sku.hosts > 0 ? `${formatCounted(sku.hosts, "host")} with this SKU` : undefined)
        }
        aria-label={`Delete ${sku.name}`}
        onClick={() => ask("remove", sku)}
      >
        Delete…
      </Button>
    </span>
  )),
];

const refreshMs = 5000;
/** Polled: the live stream carries host events only, not changes to SKUs. */
const othersMs = 10_000;

/** Why this user may not write SKUs; undefined if they may. */
export function useWhyNotWrite(): string | undefined {
  const { role } = useMe();
  return reachOf(role, "sku.write") === "any"
    ? undefined
    : "Only a provider admin can create and change SKUs";
}

export function SkusPage() {
  const trpc = useTRPC();
  const { data, refetch } = useSuspenseQuery({
    ...trpc.skus.list.queryOptions(),
    refetchInterval: othersMs,
  });
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const whyNot = useWhyNotWrite();
  const [making, setMaking] = useState<SkuClusterLine>();
  return (
    <>
      <div className="head">
        <h1>SKUs</h1>
        <span className="what">
          {formatCounted(data.skus.length, "SKU")}, {withoutText(data)}
        </span>
        <div className="acts">
          <NewSku whyNot={whyNot} />
        </div>
      </div>
      <UnreadableSkus skus={data.unreadable} whyNot={whyNot} />
      <ResourceTable
        name="skus"
        noun="SKU"
        caption="SKUs"
        fullWidth={false}
        columns={skuColumns}
        list={allRows(data.skus)}
        rowId={({ id }) => id}
        namesOf={({ name }) => [name]}
        empty={
          <Empty title="No SKU yet">
            A SKU says what a host is made of. Create one from a host below, or apply a site document.
          </Empty>
        }
      />
      <div className="sec">
        <h2>Hosts without a SKU</h2>
        <span className="sum cut">grouped by what is in them: one SKU fits all hosts of a group</span>
      </div>
      <DataTable
        caption="Groups of hosts without a SKU"
        columns={clusterColumns(whyNot, setMaking)}
        rows={data.clusters}
        rowId={({ name }) => name}
        empty={
          <Empty title="No groups">
            Hosts without a SKU appear here after their agent has taken an inventory.
          </Empty>
        }
      />
      <Left {...data} />
      {making === undefined ? null : <MakeSkuDialog cluster={making} onClose={() => setMaking(undefined)} />}
    </>
  );
}

/** How many hosts have no SKU. */
function withoutText({ skus, clusters, left, withoutInventory, notRead }: SkuList): string {
  const without =
    clusters.reduce((sum, { count }) => sum + count, 0) + left.length + withoutInventory + notRead;
  if (without > 0) return `${formatCounted(without, "host")} without one`;
  return skus.some(({ hosts }) => hosts > 0) ? "every host has one" : "no host yet";
}

/** Hosts that belong to no group. */
function Left({ left, withoutInventory, notRead }: Pick<SkuList, "left" | "withoutInventory" | "notRead">) {
  return (
    <>
      {left.length === 0 ? null : (
        <ul aria-label="Hosts that no SKU can be created from">
          {left.map(({ host, reason }) => (
            <li key={host.id}>
              <Link href={routes.host(host.name, { tab: "parts" })}>{host.name}</Link>: no SKU can be created,{" "}
              {reason}
            </li>
          ))}
        </ul>
      )}
      {withoutInventory + notRead === 0 ? null : (
        <p className="text-quiet after">
          {withoutInventory === 0
            ? ""
            : `${formatCounted(withoutInventory, "host")} without a SKU ${withoutInventory === 1 ? "has" : "have"} no inventory by an agent yet. `}
          {notRead === 0 ? "" : `${formatCounted(notRead, "more host")} without a SKU not shown.`}
        </p>
      )}
    </>
  );
}

const skuRowColumn = columnsOf<SkuRow>();

const skuColumns = [
  skuRowColumn.cell(
    "name",
    "Name",
    ({ name }) => (
      <Link className="text-medium" href={routes.sku(name)} data-open="">
        {name}
      </Link>
    ),
    { narrow: "top-start", rowHeader: true, sort: ({ name }) => name },
  ),
  skuRowColumn.count("hosts", "Hosts", ({ hosts }) => hosts, { width: 80, narrow: "top-end" }),
  skuRowColumn.count("ready", "Ready", ({ ready }) => ready, { width: 80 }),
  skuRowColumn.text(
    "product",
    "Product",
    ({ components: { manufacturer, product } }) => `${manufacturer} ${product}`,
    { spaced: true, narrow: "bottom-start", className: "text-quiet" },
  ),
  skuRowColumn.text("drives", "Drives", ({ components }) => formatDrives(components), {
    from: "medium",
    className: "text-quiet",
  }),
  skuRowColumn.text("baseline", "Baseline", ({ components }) => formatBaseline(components), {
    from: "wide",
    className: "text-quiet",
    none: "none",
  }),
];

const skuClusterLineColumn = columnsOf<SkuClusterLine>();

const clusterColumns = (
  whyNot: string | undefined,
  onMake: (cluster: SkuClusterLine) => void,
): readonly TableColumn<SkuClusterLine>[] => [
  skuClusterLineColumn.name(
    "product",
    "Product",
    ({ components: { manufacturer, product } }) => `${manufacturer} ${product}`,
  ),
  skuClusterLineColumn.cell("hosts", "Hosts", ({ count }) => formatCounted(count, "host"), {
    width: 80,
    align: "end",
    narrow: "bottom-end",
  }),
  skuClusterLineColumn.text("cpus", "CPUs", ({ components }) => formatCpu(components), {
    spaced: true,
    from: "medium",
    className: "text-quiet",
  }),
  skuClusterLineColumn.text("drives", "Drives", ({ components }) => formatDrives(components), {
    narrow: "bottom-start",
    className: "text-quiet",
  }),
  skuClusterLineColumn.text("first", "First hosts", ({ hosts }) => hosts.map(({ name }) => name).join(", "), {
    from: "wide",
    className: "text-quiet",
  }),
  skuClusterLineColumn.cell(
    "make",
    "Create SKU",
    (cluster) => (
      <Button small disabledReason={whyNot} onClick={() => onMake(cluster)}>
        Create SKU…
      </Button>
    ),
    { labelHidden: true, width: 120, align: "end", narrow: "top-end" },
  ),
];
