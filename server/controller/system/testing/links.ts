// The links of a BMC that a test of the whole system plays itself.
import type { BmcLinks } from "@/server/hardware/interfaces";

/** Restarts once into the network, and nothing else. */
export const links: BmcLinks = {
  system: "/s",
  manager: "/m",
  resetAction: "/r",
  resetTypes: ["ForceRestart"],
  bootTargets: ["Pxe"],
  sessions: null,
};
