// How old what the agent and the BMC reported of a host is, on the tabs that show it.
import { Age } from "@/components/ui/time/time";
import type { HostDetail, HostInventoryView } from "@/server/surfaces/trpc/types";

/** The age of what the agent found. */
export function AgentAge({ inventory: { found } }: { inventory: HostInventoryView }) {
  const agent = found.find(({ source }) => source === "agent");
  return agent === undefined ? null : (
    <>
      , <Age at={agent.collectedAt} /> ago
    </>
  );
}

/** While the BMC does not answer: the time of its newest reading. */
export function StaleBmc({ host, inventory: { found } }: { host: HostDetail; inventory: HostInventoryView }) {
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
