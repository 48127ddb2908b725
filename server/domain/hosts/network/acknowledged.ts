// Whether every interface of a host acknowledged the network that Reclaim requested (docs/api.md#the-network-controllers-side).
import { formatCounted } from "@/server/domain/numbers";
import type { NetworkWanted } from "@/server/domain/hosts/network/network-protocol";
import type { NetworkAck } from "@/server/domain/hosts/record/host";

export interface Unacknowledged {
  readonly done: false;
  readonly reason: string;
  /** The interfaces still awaited; empty if the controller itself has not accepted the request. */
  readonly waiting: readonly string[];
}

export interface NetworkAcks {
  readonly wanted: NetworkWanted | null;
  /** Of the wanted configuration; null until the adapter accepted it. */
  readonly sha256: string | null;
  readonly acks: readonly NetworkAck[];
}

/** The interfaces without a current acknowledgement. */
const missingAcks = ({ interfaces }: NetworkWanted, current: readonly NetworkAck[]): readonly string[] =>
  interfaces.filter((name) => !current.some((ack) => ack.interface === name));

/** True if each wanted interface acknowledged exactly this version and configuration, and none still runs extension services. Pure. */
export function acknowledged(
  network: NetworkAcks,
  kind: NetworkWanted["network"],
): { readonly done: true } | Unacknowledged {
  const { wanted } = network;
  if (wanted === null || wanted.network !== kind)
    return { done: false, reason: `the ${kind} network was not requested`, waiting: [] };
  if (network.sha256 === null)
    return {
      done: false,
      reason: `the network controller has not accepted version ${wanted.version}`,
      waiting: [],
    };
  const current = network.acks.filter(
    (ack) =>
      wanted.interfaces.includes(ack.interface) &&
      ack.version === wanted.version &&
      ack.sha256 === network.sha256,
  );
  const waiting = missingAcks(wanted, current);
  // safety: network: every interface
  if (waiting.length > 0)
    return {
      done: false,
      reason: `${current.length} of ${formatCounted(wanted.interfaces.length, "interface")} acknowledged version ${wanted.version}; waiting for ${waiting.join(", ")}`,
      waiting,
    };
  const running = current.filter((ack) => ack.extensionServices === "running").map((ack) => ack.interface);
  // safety: network: extension services
  if (kind !== "tenant" && running.length > 0)
    return { done: false, reason: `extension services still run on ${running.join(", ")}`, waiting: running };
  return { done: true };
}
