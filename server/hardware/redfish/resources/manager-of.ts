// The manager of a system that does not name it: some BMCs name the system at the manager only, as HPE Cray EX does.
import { z } from "zod";
import { systemPath } from "@/server/domain/hardware/bmc-system";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Failed } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { readCollection } from "@/server/hardware/redfish/resources/collection";
import { links } from "@/server/hardware/redfish/resources/references";

const manager = z.object({ Links: z.object({ ManagerForServers: links }).nullish().catch(null) });

/** The path of the only manager that names the system, or else of the only manager of a service with one system; null: nothing decides. */
export async function managerOf(
  client: RedfishClient,
  call: Call,
  system: string,
): Promise<{ readonly ok: true; readonly path: string | null } | Failed> {
  const rooted = await client.serviceRoot(call);
  if (!rooted.ok) return rooted;
  const { Managers: managers, Systems: systems } = rooted.root;
  if (managers == null || systems == null) return { ok: true, path: null };
  const listed = await readCollection(client, call, managers["@odata.id"]);
  if (!listed.ok) return listed;
  const naming: string[] = [];
  for (const path of listed.members) {
    const replied = await client.get(call, path);
    if (!replied.ok) return replied;
    const named = manager.safeParse(replied.answer.body).data?.Links?.ManagerForServers ?? [];
    if (named.some((other) => systemPath(other) === systemPath(system))) naming.push(path);
  }
  const [only] = naming;
  if (only !== undefined) return { ok: true, path: naming.length === 1 ? only : null };
  const all = await readCollection(client, call, systems["@odata.id"]);
  if (!all.ok) return all;
  const [first] = listed.members;
  return {
    ok: true,
    path: first !== undefined && listed.members.length === 1 && all.members.length === 1 ? first : null,
  };
}
