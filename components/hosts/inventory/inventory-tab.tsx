"use client";
// The Inventory tab: the drives of a host and how they can be erased, its names, its BMC, and what each source reported.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { Age } from "@/components/ui/time/time";
import type { HostDetail, HostInventoryView } from "@/server/surfaces/trpc/types";
import { CapabilityTable } from "@/components/hosts/inventory/capability-table";
import { DispositionTable } from "@/components/hosts/inventory/disposition-table";
import { AgentAge, StaleBmc } from "@/components/hosts/inventory/reading-age";
import { sourceLabels } from "@/components/hosts/inventory/source-labels";
import { BmcSection } from "@/components/hosts/one/bmc/bmc-section";
import { NamesSection } from "@/components/hosts/names/names-section";
import { StorageTable } from "@/components/hosts/inventory/storage-table";

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
      <StaleBmc host={host} inventory={inventory} />
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
      <NamesSection host={host} onDone={onDone} />
      <BmcSection host={host} />
      <div className="sec">
        <h2>Inventories</h2>
        <span className="sum cut">the newest inventory of each source, as reported</span>
      </div>
      <Found inventory={inventory} bmcAnswers={host.bmcAnswers} />
    </>
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
