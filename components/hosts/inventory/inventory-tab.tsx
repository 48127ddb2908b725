"use client";
// The Inventory tab: what is expected of a host next to what was found in it.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { Age } from "@/components/ui/time/time";
import type { HostDetail, HostInventoryView } from "@/server/surfaces/trpc/types";
import { AttestationSection } from "@/components/hosts/attestation/attestation-section";
import { BaselineSection, BiosSection, PlatformSection } from "@/components/hosts/inventory/bios-table";
import { CapabilityTable } from "@/components/hosts/inventory/capability-table";
import { DispositionTable } from "@/components/hosts/inventory/disposition-table";
import { sourceLabels } from "@/components/hosts/inventory/source-labels";
import { BmcSection } from "@/components/hosts/one/bmc/bmc-section";
import { NamesSection } from "@/components/hosts/names/names-section";
import { PartSection } from "@/components/hosts/inventory/part-section";
import { StorageTable } from "@/components/hosts/inventory/storage-table";
import { formatBytes } from "@/components/ui/format/bytes";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";

type Part = HostInventoryView["components"][number];

/** Byte counts in a readable unit; anything else unchanged. */
const formatPart = (what: string, value: string) =>
  what.endsWith(" bytes") && !/\d/.test(what) ? formatBytes(value) : value;

/** "NVMe drives 3.84 TB" from "nvme 3840755982336 bytes". */
const partLabel = (what: string) =>
  what
    .replace(/^nvme\b/, "NVMe drives")
    .replace(/\b\d+ bytes$/, (bytes) => formatBytes(bytes.replace(" bytes", "")))
    .replace(/ bytes$/, "");

/** The parts that a host's SKU requires, next to those that the agent found. */
function PartsTable({ parts, hasSku }: { parts: readonly Part[]; hasSku: boolean }) {
  return (
    <DataTable
      caption="Parts against the SKU"
      columns={columns}
      rows={parts}
      rowId={({ what }) => what}
      empty={
        <Empty title="Nothing to compare yet">
          {hasSku
            ? "The agent has not taken an inventory of this host."
            : "Without a SKU there is nothing to compare an inventory with."}
        </Empty>
      }
    />
  );
}

const column = columnsOf<Part>();

const columns = [
  column.cell("part", "Part", ({ what }) => partLabel(what), { narrow: "top-start", rowHeader: true }),
  column.cell("required", "Required", ({ what, wanted }) => formatPart(what, wanted), {
    narrow: "bottom-start",
    className: "text-quiet",
  }),
  column.cell("found", "Found", ({ what, found }) => formatPart(what, found), { narrow: "bottom-end" }),
  column.cell(
    "result",
    "Result",
    ({ same }) => (
      <span className="marked-text">
        <Mark tone={same ? "good" : "failed"} label="" />
        <span className={same ? "text-quiet" : "tone"} data-tone="failed">
          {same ? "same" : "differs"}
        </span>
      </span>
    ),
    { narrow: "top-end", sort: ({ same }) => (same ? 1 : 0) },
  ),
];

const refreshMs = 3000;

export function InventoryTab({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const trpc = useTRPC();
  const { data: inventory, refetch } = useSuspenseQuery(
    trpc.host.inventory.queryOptions({ hostId: host.id }),
  );
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  return (
    <>
      <div className="sec">
        <h2>Storage</h2>
        <span className="sum cut">
          device list of the running or last reclamation, frozen when its plan was made
        </span>
      </div>
      <Inspection inspection={host.inspection} />
      <Stale host={host} inventory={inventory} />
      <StorageTable inventory={inventory} />
      <DispositionTable host={host} onDone={onDone} />
      <div className="sec">
        <h2>Erase capabilities</h2>
        <span className="sum cut">
          as the drives identified themselves to the agent
          <AgentAge inventory={inventory} />
        </span>
      </div>
      <CapabilityTable groups={inventory.capabilities} />
      <div className="sec">
        <h2>Parts</h2>
        <span className="sum cut">
          {host.sku === null
            ? "no SKU is assigned"
            : `what SKU ${host.sku} requires, and what the agent found`}
          <AgentAge inventory={inventory} />
        </span>
      </div>
      <PartsTable parts={inventory.components} hasSku={host.sku !== null} />
      <PartSection host={host} onDone={onDone} />
      <NamesSection host={host} onDone={onDone} />
      <BmcSection host={host} />
      <AttestationSection host={host} onDone={onDone} />
      <PlatformSection hostId={host.id} />
      <BaselineSection baseline={inventory.baseline} stale={!host.bmcAnswers} />
      <BiosSection bios={inventory.bios} stale={!host.bmcAnswers} />
      <div className="sec">
        <h2>Inventories</h2>
        <span className="sum cut">the newest inventory of each source, as reported</span>
      </div>
      <Found inventory={inventory} bmcAnswers={host.bmcAnswers} />
    </>
  );
}

/** The age of what the agent found. */
function AgentAge({ inventory: { found } }: { inventory: HostInventoryView }) {
  const agent = found.find(({ source }) => source === "agent");
  return agent === undefined ? null : (
    <>
      , <Age at={agent.collectedAt} /> ago
    </>
  );
}

/** While the BMC does not answer: the time of its newest reading. */
function Stale({ host, inventory: { found } }: { host: HostDetail; inventory: HostInventoryView }) {
  if (host.bmcAnswers) return null;
  const bmc = found.find(({ source }) => source !== "agent");
  return (
    <p className="text-quiet after">
      The BMC cannot be reached now: its data (drives, firmware, BIOS){" "}
      {bmc === undefined ? (
        "is not known."
      ) : (
        <>
          is <Age at={bmc.collectedAt} /> old.
        </>
      )}
    </p>
  );
}

/** The inspection requested from this page. */
function Inspection({ inspection }: Pick<HostDetail, "inspection">) {
  if (inspection === null) return null;
  const { message, readAt, askedAt } = inspection;
  return (
    <p className="text-quiet after">
      {message === null && readAt === null ? (
        <>
          The BMC&apos;s inventory is being read, since <Age at={askedAt} />.
        </>
      ) : readAt === null ? (
        <>The BMC&apos;s inventory could not be read: {message}. The last good one is kept.</>
      ) : (
        <>
          The BMC&apos;s inventory was read <Age at={readAt} /> ago, on request; the agent&apos;s follows with
          its next boot.
        </>
      )}
    </p>
  );
}

function Found({ inventory: { found }, bmcAnswers }: { inventory: HostInventoryView; bmcAnswers: boolean }) {
  if (found.length === 0)
    return (
      <Empty title="No inventory yet">
        The BMC provides one when the host is verified, the agent each time it starts.
      </Empty>
    );
  return found.map((source) => (
    <details key={source.source} className="found">
      <summary>
        <b className="text-medium">
          {source.source === "agent" ? "Agent" : (sourceLabels[source.source] ?? source.source)}
        </b>{" "}
        <span className="text-quiet">
          boot epoch {source.bootEpoch}, <Age at={source.collectedAt} /> ago
          {source.leftOut.length === 0 ? "" : `; left out: ${source.leftOut.join(", ")}`}
        </span>
      </summary>
      <pre
        className={source.source === "agent" || bmcAnswers ? "log" : "log text-quiet"}
        tabIndex={0}
        aria-label={`Inventory of ${source.source}`}
      >
        {JSON.stringify(source.body, null, 2)}
      </pre>
    </details>
  ));
}
