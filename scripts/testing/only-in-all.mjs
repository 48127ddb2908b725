// The test files that `npm test` leaves to `npm run test:all`: long runs of whole systems, whose parts are also tested alone.

/** Each with what `npm test` has of the same subject. */
export const onlyInAll = [
  // Kills and cuts at random moments; `takeover`, `races` and `fence` have one of each kind, the explorer all orders of decisions.
  "server/controller/system/faults/chaos.itest.ts",
  "server/controller/system/faults/rolling-upgrade.itest.ts",
  "server/controller/system/faults/outage.itest.ts",
  // Each kind of failure in a whole system; the decisions about them are tables, and `faults` has those that a browser does not reach.
  "server/controller/system/faults/failure-kinds.itest.ts",
  "server/controller/system/faults/hostile.itest.ts",
  "server/controller/system/faults/firmware-quirks.itest.ts",
  // A kill in each phase; `fake-host`, `takeover` and `fence` have kills, and `manual-cleaning` and `controller` a return from end to end.
  "server/controller/system/journeys/interruptions.itest.ts",
  "server/controller/system/journeys/boot-cards.itest.ts",
  "server/controller/system/journeys/decommission.itest.ts",
  "server/controller/system/journeys/latency.itest.ts",
  // A browser repairs a machine and goes from an empty site to a tenant, too.
  "server/controller/system/journeys/repair.itest.ts",
  "cli/commands/enrolment/empty-site.itest.ts",
  // The Ironic API over a whole machine; its states and answers are tried on the database, and by the real clients.
  "server/surfaces/machine/ironic/states/on-hardware.itest.ts",
  "server/surfaces/machine/ironic/states/metal3-life.itest.ts",
  // Three real shells; what they are given is a unit test.
  "cli/completion/completion.itest.ts",
];
