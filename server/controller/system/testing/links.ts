// Links of a BMC that a system test plays itself.
import type { BmcLinks } from "@/server/hardware/interfaces";

/** Supports one restart into the network and nothing else. */
export const links: BmcLinks = {
  system: "/s",
  manager: "/m",
  resetAction: "/r",
  resetTypes: ["ForceRestart"],
  bootTargets: ["Pxe"],
  sessions: null,
};
