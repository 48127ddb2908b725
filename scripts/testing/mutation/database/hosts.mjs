// The database's checks of hosts: when one is Ready or decommissioned, who may use it, and what it owes.
import { dropTrigger } from "./database-check.mjs";

const standing = "server/db/reclamations/standing.itest.ts";
const fence = "server/controller/system/faults/fence.itest.ts";
const fakes = "server/usecases/hosts/fake-hosts.itest.ts";
const leaving = "server/usecases/hosts/decommission/decommission.itest.ts";
const lastCommit = "server/controller/system/faults/decommissioned.itest.ts";
const health = "server/usecases/repair/health/health.itest.ts";
const instances = "server/usecases/instances/instances.itest.ts";
const leases = "server/surfaces/machine/leases/leases.itest.ts";
const dispositions = "server/usecases/hosts/acts/dispose-drive.itest.ts";
const exceptions = "server/usecases/assurance/exceptions/exceptions.itest.ts";
const parts = "server/usecases/hosts/parts/accept-parts.itest.ts";
const rollouts = "server/usecases/hosts/rollouts/rollouts.itest.ts";
const restored = "server/jobs/high-water.itest.ts";

/** @param {string} name */
const definition = (name) => `SELECT pg_get_functiondef('"${name}"'::regproc) AS text`;
const identity = `SELECT 'ALTER TABLE host DROP CONSTRAINT host_fake_identity, ADD CONSTRAINT host_fake_identity '
  || pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'host_fake_identity'`;
const typeStands = `SELECT 'DROP TRIGGER fake_stays_fake ON host; ' || pg_get_triggerdef(oid) AS text
  FROM pg_trigger WHERE tgname = 'fake_stays_fake'`;

/** @typedef {import("./database-check.mjs").DatabaseCheck} DatabaseCheck */

/** @type {readonly DatabaseCheck[]} */
export const hostChecks = [
  {
    name: "database: a standing is recorded",
    tests: [standing],
    sql: dropTrigger("reclamation", "standing_of_ended"),
  },
  {
    name: "database: a standing stays",
    tests: [standing],
    sql: dropTrigger("reclamation", "standing_stays"),
  },
  {
    name: "database: a certificate is founded",
    tests: [standing],
    sql: dropTrigger("certificate", "certificate_is_founded"),
  },
  { name: "database: ready_is_proven", tests: [fence], sql: dropTrigger("host_run", "ready_is_proven") },
  {
    name: "database: no unnamed drive is passed over",
    tests: [fence],
    sql: dropTrigger("host_run", "ready_drives_are_named"),
  },
  {
    name: "database: a step that the site requires",
    tests: [fence],
    sql: definition("ready_is_not_of_an_older_rule"),
    find: "WHERE c.id = NEW.reclamation_id AND (c.kind",
    replace: "WHERE false AND (c.kind",
  },
  {
    name: "database: an empty list of Ironic's agent",
    tests: [fence],
    sql: definition("ready_is_not_of_an_older_rule"),
    find: "AND coalesce(c.devices -> 'expected', '[]') = '[]'",
    replace: "AND false",
  },
  {
    name: "database: no InfiniBand, says Ironic's agent",
    tests: [fence],
    sql: definition("ready_is_not_of_an_older_rule"),
    find: "AND q.gate = 'infinibandClean'",
    replace: "AND false",
  },
  {
    name: "database: what a recheck rests on",
    tests: [fence],
    sql: definition("ready_is_not_of_an_older_rule"),
    find: "WHERE c.kind = 'recheck' AND c.plan_epoch = 0 AND",
    replace: "WHERE false AND",
  },
  {
    name: "database: a drive that FORMAT UNIT erased",
    tests: [fence],
    sql: definition("ready_is_not_of_an_older_rule"),
    find: "WHERE d.verdict = 'sanitized'",
    replace: "WHERE false",
  },
  {
    name: "database: what an alert keeps out is not allocatable",
    tests: [health],
    sql: dropTrigger("host_run", "allocatable_is_healthy"),
  },
  {
    name: "database: no Ready under a blocking alert",
    tests: [health],
    sql: dropTrigger("host_run", "ready_has_no_blocking_alert"),
  },
  {
    name: "database: no release under an alert that prevents it",
    tests: [health],
    sql: dropTrigger("instance", "release_is_not_prevented"),
  },
  {
    name: "database: no instance on a host that owes",
    tests: [instances],
    sql: dropTrigger("instance", "no_instance_while_owed"),
  },
  {
    name: "database: no instance on a host that a repair system has",
    tests: [leases],
    sql: dropTrigger("instance", "no_instance_while_leased"),
  },
  {
    name: "database: no controller works on a host that a repair system has",
    tests: [leases],
    sql: dropTrigger("host_run", "outside_lease_holds"),
  },
  {
    name: "database: no state changes while a repair system has the host",
    tests: [leases],
    sql: definition("outside_lease_holds"),
    find: "NEW.state <> OLD.state",
    replace: "false",
  },
  {
    name: "database: decommissioned_is_proven",
    tests: [leaving],
    sql: dropTrigger("host_run", "decommissioned_is_proven"),
  },
  {
    name: "database: a decommissioned host owes nothing",
    tests: [lastCommit],
    sql: definition("decommissioned_is_proven"),
    find: "WHERE d.cleared_at IS NULL",
    replace: "WHERE false",
  },
  {
    name: "database: the debt of a host that this statement deletes",
    tests: [lastCommit],
    sql: definition("decommissioned_is_proven"),
    find: "UNION SELECT o.serial FROM gone_host o WHERE o.host_id = NEW.host_id\n      UNION SELECT c.host_serial FROM reclamation c WHERE c.id = NEW.reclamation_id",
    replace: "",
  },
  {
    name: "database: the gates of a fake host that leaves are no machine's",
    tests: [lastCommit],
    sql: definition("decommissioned_is_proven"),
    find: "AND o.hardware_type = 'fake'",
    replace: "",
  },
  {
    name: "database: a host that leaves does not become Ready",
    tests: [leaving],
    sql: 'ALTER TABLE "reclamation" DROP CONSTRAINT "decommission_is_not_ready"',
  },
  {
    name: "database: the record of a gone host stands",
    tests: [leaving],
    sql: dropTrigger("gone_host", "gone_host_stands"),
  },
  {
    name: "database: a host that is removed leaves a record",
    tests: [leaving],
    sql: dropTrigger("host", "host_is_gone"),
  },
  { name: "database: a debt is never deleted", tests: [fence], sql: dropTrigger("debt", "debt_stands") },
  {
    name: "database: a Ready host owes nothing",
    tests: [fence],
    sql: definition("ready_is_proven"),
    find: "AND d.cleared_at IS NULL",
    replace: "AND false",
  },
  {
    name: "database: the identity of a fake host is its own",
    tests: [fakes],
    sql: identity,
    find: "THEN",
    replace: "THEN true OR",
  },
  {
    name: "database: no machine has a fake host's serial",
    tests: [fakes],
    sql: identity,
    find: "ELSE",
    replace: "ELSE true OR",
  },
  {
    name: "database: the type of a fake host stands",
    tests: [fakes],
    sql: typeStands,
    find: "IS DISTINCT FROM",
    replace: "IS NULL AND NULL IS DISTINCT FROM",
  },
  {
    name: "database: the gates of a fake host are no machine's",
    tests: [fakes],
    sql: definition("ready_is_proven"),
    find: "AND h.hardware_type = 'fake'",
    replace: "",
  },
  {
    name: "database: a fake host clears no debt",
    tests: [fakes],
    sql: dropTrigger("debt", "fake_clears_no_debt"),
  },
  {
    name: "database: no Ready on a disposition of one person",
    tests: [dispositions],
    sql: dropTrigger("host_run", "dispositions_are_signed"),
  },
  {
    name: "database: no Ready past parts that nobody compared",
    tests: [parts],
    sql: dropTrigger("host_run", "ready_parts_are_compared"),
  },
  {
    name: "database: a statement about parts stands",
    tests: [parts],
    sql: dropTrigger("part_disposition", "part_disposition_stands"),
  },
  {
    name: "database: what was approved of a firmware rollout stands",
    tests: [rollouts],
    sql: dropTrigger("firmware_rollout", "firmware_rollout_stands"),
  },
  {
    name: "database: no Ready on an exception that does not stand",
    tests: [exceptions],
    sql: dropTrigger("host_run", "exceptions_stand"),
  },
  {
    name: "database: no instance past an exception",
    tests: [exceptions],
    sql: dropTrigger("instance", "no_instance_past_exception"),
  },
  {
    name: "restore: no Ready while stopped",
    tests: [restored],
    sql: dropTrigger("host_run", "no_ready_while_stopped"),
  },
  {
    name: "restore: no instance while stopped",
    tests: [restored],
    sql: dropTrigger("instance", "no_instance_while_stopped"),
  },
  {
    name: "restore: nothing becomes allocatable while stopped",
    tests: [restored],
    sql: dropTrigger("host_run", "not_allocatable_while_stopped"),
  },
  {
    name: "restore: a machine that was not known owes",
    tests: [restored],
    sql: dropTrigger("host", "owes_since_restore"),
  },
];
