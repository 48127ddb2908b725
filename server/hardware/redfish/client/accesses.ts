// What of a BMC's sessions is whose: the hosts of one service may share one, and leave it one by one.
import type { Access, Bmc } from "@/server/hardware/redfish/client/bmcs";
import type { BmcTarget } from "@/server/hardware/interfaces";

interface Of {
  readonly bmc: Pick<Bmc, "accesses">;
  readonly target: Pick<BmcTarget, "hostId">;
}

/** Takes the host from what it was signed in with before its credential was changed; the sessions that serve nobody any more. */
export function leaveOthers({ bmc: { accesses }, target }: Of, now: Access): readonly string[] {
  const over: string[] = [];
  for (const access of [...accesses.values()]) {
    if (access === now || !access.hosts.delete(target.hostId) || access.hosts.size > 0) continue;
    accesses.delete(access.credential);
    if (access.kind === "token" && access.uri !== null) over.push(access.uri);
  }
  return over;
}

/** A session that serves another host of the service is not a former one. */
export const isInUse = ({ accesses }: Of["bmc"], uri: string): boolean =>
  [...accesses.values()].some((access) => access.kind === "token" && access.uri === uri);
