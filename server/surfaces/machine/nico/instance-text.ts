// NICo's messages for a missing instance, and the check of an instance id in a path.
import { z } from "zod";
import { NicoFault } from "@/server/surfaces/machine/nico/faults";

const uuid = z.guid();

/** Another tenant's instance gets the same answer as a missing one. */
export const instanceText = {
  notFound: "Could not find Instance with specified ID",
  forbidden: "Org specified in request does not match Org of Tenant associated with Instance",
} as const;

/** Throws 400. */
export function demandInstanceId(instanceId: string): string {
  if (!uuid.safeParse(instanceId).success) throw new NicoFault(400, "Invalid Instance ID in URL");
  return instanceId;
}
