// No agent came up in any boot: told by the boot that gives up, and by a release that ran out of time meanwhile.
import type { Cause } from "@/server/domain/causes/cause";

/** `refusal`: why the agent of the last boot was not registered. */
export const neverRegistered = (boots: number, refusal: string | null): Cause => ({
  key: "agentNeverRegistered",
  device: { kind: "agent" },
  facts: { boots },
  raw: refusal ?? "",
});
