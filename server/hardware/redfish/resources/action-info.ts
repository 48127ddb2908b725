// The values that an action takes where its resource does not list them: in the action's description (DSP0266, ActionInfo).
import { z } from "zod";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { contentError, type Failed } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { pathOf, text } from "@/server/hardware/redfish/resources/references";

const names = z.array(z.string()).nullish().catch(null);
const actionInfo = z.object({ Parameters: z.array(z.object({ Name: text, AllowableValues: names })) });

/** An action with a parameter `ResetType`. */
export interface ResetAction {
  readonly "ResetType@Redfish.AllowableValues"?: readonly string[] | null | undefined;
  readonly "@Redfish.ActionInfo"?: string | null | undefined;
}

/** The values of `ResetType`; empty if the BMC does not list them. Without the description, which may list them, they are not known: that is its error. */
export async function resetTypesOf(
  client: RedfishClient,
  call: Call,
  action: ResetAction,
): Promise<{ readonly ok: true; readonly types: readonly string[] } | Failed> {
  const listed = action["ResetType@Redfish.AllowableValues"];
  if (listed != null) return { ok: true, types: listed };
  const path = action["@Redfish.ActionInfo"] == null ? null : pathOf(action["@Redfish.ActionInfo"]);
  if (path === null) return { ok: true, types: [] };
  const replied = await client.get(call, path);
  if (!replied.ok) return replied;
  const info = actionInfo.safeParse(replied.answer.body).data;
  if (info === undefined)
    return contentError(
      { method: "GET", path, purpose: "read" },
      replied.answer.status,
      "its content is not the description of an action",
    );
  const types = info.Parameters.find(({ Name }) => Name === "ResetType")?.AllowableValues ?? [];
  return { ok: true, types };
}
