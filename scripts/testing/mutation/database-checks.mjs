// Safety checks that the database itself makes. Applied migrations are never edited, so these checks are not marked in
// place: each entry says what disables it in a migrated database, and which tests cover it.
import { decisionChecks } from "./database/decisions.mjs";
import { hostChecks } from "./database/hosts.mjs";

/** @type {readonly import("./database/database-check.mjs").DatabaseCheck[]} */
export const databaseChecks = [...decisionChecks, ...hostChecks];
