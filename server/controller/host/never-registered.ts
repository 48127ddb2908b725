// The cause when no agent came up in any boot, used when the last boot gives up and when a release times out meanwhile.
import type { Cause } from "@/server/domain/cleaning/failures/cause";

/** `refusal`: why the agent of the last boot was not registered. */
export const neverRegistered = (boots: number, refusal: string | null): Cause => ({
  key: "agentNeverRegistered",
  device: { kind: "agent" },
  facts: { boots },
  raw: refusal ?? "",
});
