// Test files that the mutation run takes beside the unit tests in the folders of marked files.
/** Unit tests that cover checks of another folder. */
export const elsewhere = [
  "server/simulator/reclamation.test.ts",
  "server/simulator/disks.test.ts",
  "server/simulator/content.test.ts",
  "server/simulator/by-hand.test.ts",
  "server/simulator/bmc/steps.test.ts",
  "server/simulator/bmc/raid-steps.test.ts",
  "server/simulator/host/ipxe.test.ts",
  "server/hardware/redfish/management.test.ts",
];

/** All integration tests of which some check needs one; each costs seconds. */
export const integration = [
  "prisma/seed/begin.itest.ts",
  "server/controller/fence.itest.ts",
  "server/controller/permit-desk.itest.ts",
  "server/db/hot/claim-race.itest.ts",
  "server/db/hot/deadlock.itest.ts",
  "server/db/hot/lease.itest.ts",
  "server/db/hot/listening.itest.ts",
  "server/db/retention.itest.ts",
  "server/jobs/high-water.itest.ts",
  "server/surfaces/machine/agent/agent.itest.ts",
  "server/surfaces/machine/agent/gathered.itest.ts",
  "server/surfaces/machine/agent/reports.itest.ts",
  "server/surfaces/machine/boot/boot.itest.ts",
  "server/surfaces/machine/network/network.itest.ts",
  "server/surfaces/web/bearer.itest.ts",
  "server/surfaces/web/http.itest.ts",
  "server/surfaces/web/sign-in-http.itest.ts",
  "server/usecases/access/access.itest.ts",
  "server/usecases/bulk/bulk.itest.ts",
  "server/usecases/cleaning/acts.itest.ts",
  "server/usecases/hosts/fake-hosts.itest.ts",
  "server/usecases/hosts/hosts.itest.ts",
  "server/usecases/instances/instances.itest.ts",
];

/** Unit tests that run minutes, and judge no single check. */
export const leftOut = ["server/controller/exploration.test.ts"];
