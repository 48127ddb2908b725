// The values that an action takes where its resource does not list them: in the action's description (DSP0266, ActionInfo).
import { z } from "zod";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { pathOf, text } from "@/server/hardware/redfish/resources/references";

const names = z.array(z.string()).nullish().catch(null);
const actionInfo = z.object({ Parameters: z.array(z.object({ Name: text, AllowableValues: names })) });

/** An action with a parameter `ResetType`. */
export interface ResetAction {
  readonly "ResetType@Redfish.AllowableValues"?: readonly string[] | null | undefined;
  readonly "@Redfish.ActionInfo"?: string | null | undefined;
}

/** The values of `ResetType`; empty if the BMC does not list them. */
export async function resetTypesOf(
  client: RedfishClient,
  call: Call,
  action: ResetAction,
): Promise<readonly string[]> {
  const listed = action["ResetType@Redfish.AllowableValues"];
  if (listed != null) return listed;
  const path = action["@Redfish.ActionInfo"] == null ? null : pathOf(action["@Redfish.ActionInfo"]);
  if (path === null) return [];
  const replied = await client.get(call, path);
  const info = replied.ok ? actionInfo.safeParse(replied.answer.body) : null;
  return info?.data?.Parameters.find(({ Name }) => Name === "ResetType")?.AllowableValues ?? [];
}
