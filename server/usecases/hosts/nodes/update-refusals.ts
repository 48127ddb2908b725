// Why a change of a node's record is refused: because of its state, or because it is fake hardware or not.
import { passwordMoves, passwordMovesText } from "@/server/domain/hardware/stored-password";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { changeRefusal, driverRefusal } from "@/server/domain/hosts/nodes/node-rules";
import type { NodeBmc, NodeFields } from "@/server/domain/hosts/nodes/node-values";
import type { LockedNode } from "@/server/usecases/hosts/nodes/node-facts";
import type { Problem } from "@/server/usecases/problem";

interface NodeChange {
  /** The fields that would change. */
  readonly changed: Partial<NodeFields>;
  readonly bmc: NodeBmc;
}

/** The state's objection to these changes, or null. Pure. */
export function stateRefusal(node: LockedNode, { changed, bmc }: NodeChange): Problem | null {
  const said = (code: "conflict" | "notAllowedNow", why: string): Problem => ({
    code,
    detail: `Node ${node.hostId} can not be changed: ${why}.`,
  });
  const transition = changeRefusal(node);
  if (transition !== null) return said("conflict", transition);
  const driver =
    changed.hardwareType !== undefined || changed.interfaces !== undefined ? driverRefusal(node) : null;
  if (driver !== null) return said("conflict", driver);
  if (changed.hardwareType !== undefined && node.state !== "Enroll" && node.state !== "Manageable")
    return said("conflict", "its driver can be changed in enroll and manageable only");
  // A different address may be a different machine, which nothing would verify any more.
  if (bmc.address !== node.bmcAddress && node.state !== "Enroll")
    return said(
      "notAllowedNow",
      "the address of its BMC can be changed in enroll only, before it is verified. Delete and create the node to give it another",
    );
  const stored = { address: node.bmcAddress, hasPassword: node.bmcHasPassword };
  // safety: credentials: a stored password stays at its address, in Ironic's API too
  if (passwordMoves(stored, bmc))
    return { code: "invalid", field: "driver_info.redfish_password", detail: passwordMovesText };
  if (changed.retired === true && node.state === "Ready")
    return said("conflict", "a node in available can not be retired; move it to manageable first");
  if (changed.protected === true && node.state !== "Assigned/Ready")
    return said("conflict", "only an active node can be protected");
  return null;
}

/** Real hardware stays real and fake hardware fake; the database enforces it as well. Pure. */
export function fakeStands(before: NodeFields, { hardwareType }: Partial<NodeFields>): Problem | null {
  if (hardwareType === undefined || !(isFake(before) || isFake({ hardwareType }))) return null;
  return {
    code: "conflict",
    detail: `Node ${before.name ?? ""} can not be changed: no machine becomes fake hardware, and fake hardware no machine. Delete and create the node to give it another driver.`,
  };
}
