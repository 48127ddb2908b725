// What `npm test` leaves to `npm run test:all`, each with what `npm test` has of the same subject: whole test files, and tests that carry a tag.

/** The tag of such a test: `{ tags: "all" }` in vitest, `{ tag: "@all" }` in Playwright. */
export const tag = "all";

/** Files of which nothing runs in `npm test`. */
export const onlyInAll = [
  // Kills and cuts at random moments; `takeover` and `fence` have one of each kind, the explorer all orders of decisions.
  "server/controller/system/faults/chaos.itest.ts",
  "server/controller/system/faults/rolling-upgrade.itest.ts",
  "server/controller/system/faults/outage.itest.ts",
  // Claims against everything else on a whole system; two claims, and a release before the controller has read the claim, are tried on the database
  // (`instances`, `tenants-own`, `health`), and the explorer has all orders of decisions.
  "server/controller/system/faults/races.itest.ts",
  // Each kind of failure in a whole system; the decisions about them are tables, a browser sees a drive fail and come back, and `content` has the drives that
  // do not hold what they should.
  "server/controller/system/faults/faults.itest.ts",
  "server/controller/system/faults/failure-kinds.itest.ts",
  "server/controller/system/faults/hostile.itest.ts",
  "server/controller/system/faults/firmware-quirks.itest.ts",
  // A kill in each phase; `takeover` and `fence` have kills, and `content` and `takeover` returns from end to end.
  "server/controller/system/journeys/interruptions.itest.ts",
  "server/controller/system/journeys/boot-cards.itest.ts",
  "server/controller/system/journeys/decommission.itest.ts",
  "server/controller/system/journeys/latency.itest.ts",
  // Lists made by hand, and plans, in a whole system; the order of steps and what a plan leaves out are tables, and a browser runs a list.
  "server/controller/system/journeys/manual-cleaning.itest.ts",
  "server/controller/system/journeys/plan.itest.ts",
  // 200 hosts, and each kind of item of a platform; `platform` has five hosts and an account that stops one, and the items are a table (`judge`).
  "server/controller/system/journeys/fleet-of-200.itest.ts",
  // Parts, device memory, a BMC's own health, staged firmware, and the ways on after a failed step, each in a whole system: what is compared, judged and offered
  // is tables (`sku-parts`, `changes`, `device-memory`, `bmc-health`, `rollout`), its reading speaks to simulated BMCs and agents (`redfish/inventory/parts`,
  // `agent/parts`, `reported-health`), its acts are tested on a database (`accept-parts`, `rollouts`), and `platform` has an item that stops its host.
  "server/controller/system/journeys/parts.itest.ts",
  "server/controller/system/journeys/device-memory.itest.ts",
  "server/controller/system/journeys/bmc-health.itest.ts",
  "server/controller/system/journeys/firmware-rollout.itest.ts",
  "server/controller/system/journeys/step-ways-out.itest.ts",
  // A software TPM, which is a Debian package; the step's decisions are tried on a simulated one (`clear-tpm.test`, `by-hand`).
  "agent/steps/platform/clear-tpm.itest.ts",
  // What a return costs a BMC; the requests of each effect are tested with it.
  "server/controller/system/journeys/bmc-requests.itest.ts",
  // A hundred hosts without a machine; `fake-hosts` and Ironic's `fake` have their acts and answers, the explorer their states.
  "server/controller/system/journeys/fake-host.itest.ts",
  // A browser repairs a machine and goes from an empty site to a tenant, too.
  "server/controller/system/journeys/repair.itest.ts",
  "cli/commands/hosts/enrolment/empty-site.itest.ts",
  // The Ironic API over a whole machine; its states and answers are tried on the database, and by the real clients.
  "server/surfaces/machine/ironic/states/on-hardware.itest.ts",
  "server/surfaces/machine/ironic/states/metal3-life.itest.ts",
  // Twelve kills in the middle of `initdb`; `start` makes a database that nothing interrupts.
  "scripts/postgres/cluster.itest.ts",
  // Three real shells; what they are given is a unit test.
  "cli/completion/completion.itest.ts",
  // How much is read of large tables; what is answered is tested with few rows (`fleet-page`, `proof`).
  "server/usecases/fleet/ten-thousand-hosts.itest.ts",
  "server/usecases/assurance/proof/hundred-thousand-returns.itest.ts",
  // The agent's memory with 64 drives; the erase of one drive runs with the limits of the image in QEMU.
  "agent/memory.test.ts",
  // Days of a demo fleet; its hours and its brake have tests of their own.
  "server/simulator/living/day.test.ts",
  // The screens of users, a demo, an enrolment, a disposition and a restored database, and the brake, in a browser. The screens have component tests, their
  // acts are tested on a database (`people`, `access`, `dispose-drive`, `high-water`, `admission`), and `empty-site` enrols.
  "e2e/accounts.spec.ts",
  "e2e/demo.spec.ts",
  "e2e/dispositions.spec.ts",
  "e2e/enrolment.spec.ts",
  "e2e/protection.spec.ts",
  "e2e/restore.spec.ts",
  // Themes and less motion.
  "e2e/appearance.spec.ts",
];

/** Files of which some tests have the tag. */
export const partlyInAll = [
  // The reader of inventories over 300 trees with wrong, missing, huge and looping values stays; 100,000 do not.
  "server/hardware/redfish/inventory/fuzz.test.ts",
  // 15 BMCs of all kinds at once stay; 300 do not.
  "server/simulator/bmc/many-bmcs.test.ts",
  // `npm start`: starting and stopping stay; what starts again what has died is a unit test (`processes`), and the roles have a test of their own.
  "scripts/start.itest.ts",
  // How many and how long: a journal up to its limit, 400 connections at once, 150 certificates in one round. Each has its small case.
  "server/surfaces/machine/agent/limits.itest.ts",
  // Each forgery, before our agent, after it, at once and without it, stays; 1,000 races do not.
  "server/surfaces/machine/agent/forging-agent.itest.ts",
  "server/surfaces/web/flood.itest.ts",
  "server/db/certificates/issue.itest.ts",
  // What a seed makes and refuses stays; two starts at once do not.
  "prisma/seed/begin.itest.ts",
  // Everything that the document says stays; that a validator compiles its schemas does not.
  "server/surfaces/trpc/openapi.test.ts",
  // A kill stays; the second one, of the controller that came back, does not.
  "server/controller/system/faults/takeover.itest.ts",
  // One role of the server that does not start stays.
  "server/start-up.test.ts",
  // What drives hold: a write before the final boot, into a Ready host and the drive of another host stay.
  "server/controller/system/journeys/content.itest.ts",
  // One command for each right stays, as one role that may and one that may not.
  "cli/testing/roles.itest.ts",
  // Watching, a broken connection, a wait that ends well and one that ends with a failure stay; how others end does not.
  "cli/watching.itest.ts",
  // What is said of hosts that are not proven: every read and every command stay, of a read with very many inputs fifteen that the commit draws.
  "cli/standing-walk.itest.ts",
  // Another tenant and a repair tenant read everything, and another tenant names what it may not see; also with inputs that the commit draws.
  "server/surfaces/tenancy.itest.ts",
  // The first page of each kind stays, with all its widths and themes.
  "e2e/accessibility.spec.ts",
  // The pages of a tenant, and signing in stay; what is refused to whom, and when, is tested on the server (`console`, `tenancy`, `transition`).
  "e2e/access.spec.ts",
  "e2e/settings.spec.ts",
  // One journey of each screen stays; online repairs and many hosts at once are tested on the database (`online-repair`, `bulk`).
  "e2e/cleaning.spec.ts",
  "e2e/hosts.spec.ts",
  "e2e/instances.spec.ts",
  "e2e/live.spec.ts",
  "e2e/first-request.spec.ts",
  // A drive that fails and a hold stay; exceptions and aborts are tested on a database.
  "e2e/failed-drive.spec.ts",
  "e2e/interrupt.spec.ts",
];
