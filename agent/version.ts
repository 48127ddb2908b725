// How this program identifies itself to the server. A new manager version restarts an automated plan (docs/cleaning.md#when-something-goes-wrong).

export const agentVersion = "0.2.0";

/** `managerVersion` is raised whenever a step is added, removed or changed. */
export const managerName = "reclaim";
export const managerVersion = "6";
