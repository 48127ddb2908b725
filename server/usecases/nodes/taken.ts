// What of a node must be its own, and what it names that must be there.
import type { Transaction } from "@/server/db/prisma";
import type { Problem } from "@/server/usecases/problem";

interface Wanted {
  readonly id?: string;
  readonly name?: string | null | undefined;
  readonly bmcAddress?: string | null | undefined;
  readonly instanceName?: string | null | undefined;
  readonly parentNode?: string | null | undefined;
}

/** The first conflict with another host than `hostId`, or null. Asked for before anything is written: a statement that fails loses the transaction. */
export async function taken(tx: Transaction, hostId: string, { id, name, bmcAddress, instanceName, parentNode }: Wanted): Promise<Problem | null> {
  const conflict = (field: string, detail: string): Problem => ({ code: "conflict", field, detail });
  const same = [...(id === undefined ? [] : [{ id }]), ...(name == null ? [] : [{ name }]), ...(bmcAddress == null ? [] : [{ bmcAddress }])];
  const found = same.length === 0 ? null : await tx.host.findFirst({ where: { OR: same, ...(id === undefined ? { id: { not: hostId } } : {}) }, select: { id: true, name: true } });
  if (found !== null && found.id === id) return conflict("uuid", `A node with UUID ${id} already exists.`);
  if (found !== null && found.name === name) return conflict("name", `A node with name ${name} already exists.`);
  if (found !== null) return conflict("driver_info.redfish_address", `The BMC address ${bmcAddress} is that of node ${found.name}.`);
  if (instanceName != null && (await tx.nodeRecord.count({ where: { instanceName, hostId: { not: hostId } } })) > 0) return conflict("instance_name", `A node with instance name ${instanceName} already exists.`);
  if (parentNode != null && (parentNode.toLowerCase() === hostId || (await tx.host.count({ where: { id: parentNode } })) === 0)) return { code: "invalid", field: "parent_node", detail: `Node ${parentNode} could not be found.` };
  return null;
}
