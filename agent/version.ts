// What this program calls itself towards the server: a change of either version restarts an automated plan (docs/cleaning.md#when-something-goes-wrong).

export const agentVersion = "0.2.0";

/** Raised whenever a step is added, removed or does something else. */
export const managerName = "reclaim";
export const managerVersion = "5";
