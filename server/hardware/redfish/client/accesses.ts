// Which hosts use which session of a BMC. Hosts behind one service may share a session, and each can leave it.
import type { Access, Bmc } from "@/server/hardware/redfish/client/bmcs";
import type { BmcTarget } from "@/server/hardware/interfaces";

interface Of {
  readonly bmc: Pick<Bmc, "accesses">;
  readonly target: Pick<BmcTarget, "hostId">;
}

/** Removes the host from the sessions of its previous credentials. Returns the sessions that no host uses any more. */
export function leaveOthers({ bmc: { accesses }, target }: Of, now: Access): readonly string[] {
  const over: string[] = [];
  for (const access of [...accesses.values()]) {
    if (access === now || !access.hosts.delete(target.hostId) || access.hosts.size > 0) continue;
    accesses.delete(access.credential);
    if (access.kind === "token" && access.uri !== null) over.push(access.uri);
  }
  return over;
}

/** Whether a session is still in use, possibly by another host of the service. */
export const isInUse = ({ accesses }: Of["bmc"], uri: string): boolean =>
  [...accesses.values()].some((access) => access.kind === "token" && access.uri === uri);
