// Ironic's answers if a node's state does not allow a request (docs/api-ironic.md#provision-state).
import type { NodeState } from "@/server/usecases/hosts/nodes/reading/node-state";
import { fault, type IronicFault } from "@/server/surfaces/machine/ironic/wire/errors";

/** @param running the clean step that runs, which the message then names. While a BMC is verified Ironic holds the node's lock: that is 409, which its client retries. Any other state is 400. */
export function notInState(
  action: string,
  { hostId, provision }: Pick<NodeState, "hostId" | "provision">,
  running: string | null = null,
): IronicFault {
  if (provision.state === "verifying")
    return fault(
      409,
      `Node ${hostId} is locked while it is being verified, please retry after the current operation is completed.`,
    );
  return fault(
    400,
    `The requested action "${action.slice(0, 64)}" can not be performed on node "${hostId}" while it is in state "${provision.state}"${running === null ? "" : `: the clean step ${running} runs`}.`,
  );
}

export const inMaintenance = (operation: string, { hostId }: Pick<NodeState, "hostId">): IronicFault =>
  fault(
    400,
    `The ${operation} operation can't be performed on node ${hostId} because it's in maintenance mode.`,
  );

export const isRetired = (operation: string, { hostId }: Pick<NodeState, "hostId">): IronicFault =>
  fault(400, `The ${operation} operation can't be performed on node ${hostId} because it is retired.`);
