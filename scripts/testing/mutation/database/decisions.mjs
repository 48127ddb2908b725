// The database's checks of what people decide: approvals, changes by two people, passkeys and records of procedures.
import { dropTrigger } from "./database-check.mjs";

const approvals = "server/usecases/assurance/approvals/approvals.itest.ts";
const passkeys = "server/usecases/access/passkeys/passkeys.itest.ts";
const assurance = "server/usecases/assurance/assurance.itest.ts";
const changes = [
  "server/usecases/assurance/policy-changes/policy-changes.itest.ts",
  "server/usecases/assurance/policy-changes/two-people.itest.ts",
];

/** @typedef {import("./database-check.mjs").DatabaseCheck} DatabaseCheck */

/** @type {readonly DatabaseCheck[]} */
export const decisionChecks = [
  {
    name: "database: two people decide",
    tests: [approvals],
    sql: "ALTER TABLE approval DROP CONSTRAINT approval_two_people_check",
  },
  {
    name: "database: approvals are kept",
    tests: [approvals],
    sql: dropTrigger("approval", "approval_is_kept"),
  },
  {
    name: "database: two people change a site",
    tests: changes,
    sql: dropTrigger("site", "site_is_changed_by_two_people"),
  },
  {
    name: "database: two people make a site",
    tests: changes,
    sql: dropTrigger("site", "site_is_made_by_two_people"),
  },
  {
    name: "database: two people change a policy",
    tests: changes,
    sql: dropTrigger("site_policy", "site_policy_is_changed_by_two_people"),
  },
  {
    name: "database: two people change priorities",
    tests: changes,
    sql: dropTrigger("step_override", "step_override_is_changed_by_two_people"),
  },
  {
    name: "database: two people leave out the cleaning of a host",
    tests: changes,
    sql: dropTrigger("host", "host_is_left_out_by_two_people"),
  },
  {
    name: "database: two people add a host that is not cleaned",
    tests: changes,
    sql: dropTrigger("host", "host_is_made_left_out_by_two_people"),
  },
  {
    name: "database: two people change a SKU",
    tests: changes,
    sql: dropTrigger("sku", "sku_is_changed_by_two_people"),
  },
  {
    name: "database: two people make a SKU",
    tests: changes,
    sql: dropTrigger("sku", "sku_is_made_by_two_people"),
  },
  {
    name: "database: two people add an agent image",
    tests: changes,
    sql: dropTrigger("agent_image", "agent_image_is_added_by_two_people"),
  },
  {
    name: "database: two people change an agent image",
    tests: changes,
    sql: dropTrigger("agent_image", "agent_image_is_changed_by_two_people"),
  },
  {
    name: "database: two people change an acknowledgement token",
    tests: changes,
    sql: dropTrigger("adapter_token", "adapter_token_is_changed_by_two_people"),
  },
  {
    name: "database: an approved change is made",
    tests: changes,
    sql: dropTrigger("approval", "policy_change_is_applied"),
  },
  {
    name: "database: requests for changes are kept",
    tests: changes,
    sql: dropTrigger("policy_change", "policy_change_is_kept"),
  },
  {
    name: "database: one request for a change of a site",
    tests: changes,
    sql: "DROP INDEX approval_one_policy_change_idx",
  },
  {
    name: "database: who has a passkey decides with it",
    tests: [passkeys],
    sql: dropTrigger("approval", "approval_passkey_is_used"),
  },
  {
    name: "database: who resets is not the second person",
    tests: [passkeys],
    sql: dropTrigger("approval", "approval_is_not_of_who_reset"),
  },
  {
    name: "database: passkeys are kept",
    tests: [passkeys],
    sql: dropTrigger("passkey", "passkey_is_kept"),
  },
  {
    name: "database: records of procedures are kept",
    tests: [assurance],
    sql: dropTrigger("procedure_record", "procedure_record_is_kept"),
  },
  {
    name: "database: procedures are signed before Ready",
    tests: [assurance],
    sql: dropTrigger("host_run", "ready_procedures_are_signed"),
  },
];
