import type { BmcLinks } from "@/server/hardware/interfaces";

/** The links of a BMC that a test plays itself. */
export const links: BmcLinks = {
  system: "/s",
  manager: "/m",
  resetAction: "/r",
  resetTypes: ["ForceRestart"],
  bootTargets: ["Pxe"],
  sessions: null,
};
