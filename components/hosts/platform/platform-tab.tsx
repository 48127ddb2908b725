"use client";
// A host's Platform tab: each item as the BMC showed it after the last cleaning, what the BMC reported since, and the way to make this host its SKU's reference.
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { StaleBmc } from "@/components/hosts/inventory/reading-age";
import { BaselineSection, BiosSection } from "@/components/hosts/platform/baseline-sections";
import { CaptureDialog } from "@/components/hosts/skus/sku-dialogs";
import { platformInput } from "@/components/hosts/platform/platform-input";
import { useWhyNotWrite } from "@/components/hosts/skus/skus-page";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import { formatCounted } from "@/server/domain/numbers";
import type { HostDetail, PlatformLine } from "@/server/surfaces/trpc/types";

const verdicts = {
  same: { tone: "good", words: "as wanted" },
  different: { tone: "failed", words: "different" },
  unknown: { tone: "failed", words: "unknown" },
  absent: { tone: "neutral", words: "not there" },
  notNamed: { tone: "neutral", words: "not compared" },
} as const;

const column = columnsOf<PlatformLine>();

const columns = [
  column.name("item", "Item", ({ item }) => item),
  column.text("wanted", "Wanted", ({ wanted }) => wanted, {
    narrow: "bottom-start",
    className: "text-quiet",
  }),
  column.text("found", "Found", ({ found }) => found, { narrow: "bottom-end" }),
  column.cell(
    "by",
    "Wanted by",
    ({ named, verdict }) => (verdict === "notNamed" ? "" : named ? "the SKU's baseline" : "every host"),
    {
      from: "medium",
      className: "text-quiet",
    },
  ),
  column.cell(
    "verdict",
    "Result",
    ({ verdict }) => (
      <span className="marked-text">
        <Mark tone={verdicts[verdict].tone} label="" />
        <span className={verdicts[verdict].tone === "failed" ? "tone" : "text-quiet"} data-tone="failed">
          {verdicts[verdict].words}
        </span>
      </span>
    ),
    { narrow: "top-end", sort: ({ verdict }) => verdicts[verdict].words },
  ),
];

const refreshMs = 5000;

export function PlatformTab({ host }: { host: HostDetail }) {
  const trpc = useTRPC();
  const { data: platform, refetch } = useSuspenseQuery(
    trpc.hosts.platform.queryOptions(platformInput(host.id)),
  );
  const { data: inventory, refetch: readInventory } = useSuspenseQuery(
    trpc.host.inventory.queryOptions({ hostId: host.id }),
  );
  useLiveRefresh(() => Promise.all([refetch(), readInventory()]), { hostId: host.id, everyMs: refreshMs });
  return (
    <>
      <div className="sec">
        <h2>Platform</h2>
        <span className="sum cut">
          <Read rows={platform.rows} />
        </span>
        <Reference host={host} />
      </div>
      <DataTable
        caption="Platform after the last cleaning"
        columns={columns}
        rows={platform.rows}
        rowId={({ item }) => item}
        empty={
          <Empty title="Not read yet">
            The BMC is read and compared after the last step of a cleaning. What it reported last is below.
          </Empty>
        }
      />
      <StaleBmc host={host} inventory={inventory} />
      <BaselineSection baseline={inventory.baseline} stale={!host.bmcAnswers} />
      <BiosSection bios={inventory.bios} stale={!host.bmcAnswers} />
    </>
  );
}

/** When the items were read, and how many of them are not as wanted. */
function Read({ rows }: { rows: readonly PlatformLine[] }) {
  const [first] = rows;
  if (first === undefined) return "what the gate platformAtBaseline relies on";
  const open = rows.filter(({ verdict }) => verdicts[verdict].tone === "failed").length;
  return (
    <>
      {open === 0 ? "nothing differs" : `${formatCounted(open, "item")} not as wanted`}: as the BMC showed it
      after the last cleaning, <Age at={first.readAt} /> ago, against the baseline of SKU {first.sku}
    </>
  );
}

/** Makes what this host has the baseline of its SKU. */
function Reference({ host }: { host: HostDetail }) {
  const whyNot = useWhyNotWrite();
  if (host.sku === null) return null;
  const sku = host.sku;
  return (
    <span className="end">
      <Link href={routes.sku(sku)}>SKU {sku}</Link>{" "}
      <DialogButton
        disabledReason={whyNot}
        dialog={(onClose) => <CaptureOf host={host} sku={sku} onClose={onClose} />}
      >
        Make this the baseline…
      </DialogButton>
    </span>
  );
}

function CaptureOf({ host, sku, onClose }: { host: HostDetail; sku: string; onClose: () => void }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.skus.get.queryOptions({ sku }));
  return data === undefined ? null : <CaptureDialog sku={{ ...data, hosts: [host] }} onClose={onClose} />;
}
