// Safety checks of which database may be used, and of one that was restored: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

export const start = [
  ...of("unit", "server/domain/database/seeding.ts", "server/domain/database/seeding.test.ts", [
    ["start: no demo in a site that it did not make", "if (marker === null && sites + people + hosts > 0) {", "if (marker === null && sites + people + hosts < 0) {"],
    ["start: no fleet beside hosts of people", 'if (marker === "people" && hosts > 0) {', 'if (marker === "people" && hosts < 0) {'],
    ["start: not the fleet of another folder", "if (otherFleet) return", "if (otherFleet && hosts < 0) return"],
  ]),
  ...of("integration", "prisma/seed/begin.ts", "prisma/seed/begin.itest.ts", [
    ["start: the seed asks again in its own transaction", 'if (seeding.kind === "refuse") throw new NotSeededError(seeding.message);', ""],
  ]),
  ...of("integration", "prisma/seed/people.ts", "prisma/seed/begin.itest.ts", [
    ["start: nobody gets another password", "if (isThere && before === undefined && !renew) {", "if (isThere && before === undefined && !renew && known.length > 0) {"],
  ]),
  ...of("integration", "server/db/database-state.ts", "prisma/seed/begin.itest.ts", [
    ["start: a database keeps its key", "if (fingerprint !== ours) throw", "if (fingerprint === null) throw"],
    ["start: another key is refused before anything changes", "if (known !== null && known !== ours) throw", "if (known !== null && known === ours && key.length === 0) throw"],
    ["start: sealed secrets name their key", "if (other !== undefined) throw", "if (other === ours) throw"],
  ]),
  ...of("unit", "server/domain/database/high-water.ts", "server/domain/database/high-water.test.ts", [
    ["restore: a database behind its mark", "if (compareMarks(position, own) >= 0) return", "if (compareMarks(position, own) >= -1e9) return"],
    ["restore: the epoch counts first", "a.epoch - b.epoch || a.sequence - b.sequence", "a.sequence - b.sequence || a.epoch - b.epoch"],
    ["restore: one in the place of another", "if (Object.keys(known).length > 0) {", "if (Object.keys(known).length > 9) {"],
    ["restore: not known is not current", "if (position.epoch === 1 && position.sequence === 0) return", "if (position.epoch >= 1) return"],
  ]),
  ...of("unit", "server/controller/restored.ts", "server/controller/restored.test.ts", [
    ["restore: no reclamation from before goes on", 'if (instance === null) draft.endReclamation("abandoned", message);', ""],
    ["restore: nothing proven before counts", "proven: emptyProven(), ", ""],
    ["restore: no answer from before is read", "for (const { kind } of draft.view.effects) draft.takeEffect(kind);", ""],
    ["restore: no release begins by itself", "if (releasing && reclamation === null) draft.beginReclamation", "if (releasing && reclamation !== null) draft.beginReclamation"],
  ]),
  ...of("unit", "server/controller/release.ts", "server/controller/restored.test.ts", [
    ["restore: no port is quarantined unasked", ' || draft.state === "Failed/DatabaseRestored") return null;', ") return null;"],
  ]),
  ...of("integration", "server/jobs/high-water.ts", "server/jobs/high-water.itest.ts", [
    ["restore: nothing is confirmed while the mark cannot be written", "    if (unwritten) await write();\n", ""],
  ], "cannot be written"),
  ...of("integration", "server/db/hot/claim.ts", "server/jobs/high-water.itest.ts", [
    ["restore: no host is decided on", "      AND database_is_current()\n", ""],
  ]),
  ...of("integration", "server/usecases/instances/claim-host.ts", "server/jobs/high-water.itest.ts", [
    ["restore: no host is claimed before the database was looked at", " AND database_is_current()", ""],
  ]),
  ...of("integration", "server/usecases/database/after-restore.ts", "server/jobs/high-water.itest.ts", [
    ["restore: the debts are those of machines", "FROM host h WHERE h.serial IS NOT NULL AND h.hardware_type <> 'fake'`;", "FROM host h WHERE h.serial IS NULL AND h.hardware_type <> 'fake'`;"],
    ["restore: what the site leaves out is not owed", "x.host_id = h.id AND x.serial = v ->> 'serial')", "x.host_id = h.id AND false)"],
    ["restore: the new epoch is above every mark", "Math.max(database.epoch, database.seenEpoch) + 1", "database.epoch + 1"],
  ]),
  ...of("integration", "server/usecases/database/database-is-current.ts", "server/jobs/high-water.itest.ts", [
    ["restore: nobody states what a mark disproves", 'if (database.stoppedCause !== "noMark") return', 'if (database.stoppedCause === "noMark" && database.epoch < 0) return'],
  ]),
  ...of("integration", "prisma/migrations/20261122010201_restored_database/migration.sql", "server/jobs/high-water.itest.ts", [
    ["restore: no Ready while stopped", "CREATE TRIGGER \"no_ready_while_stopped\" AFTER UPDATE OF \"state\" ON \"host_run\"\n  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION \"no_ready_while_stopped\"();", ""],
    ["restore: no instance while stopped", 'CREATE TRIGGER "no_instance_while_stopped" BEFORE INSERT ON "instance" FOR EACH ROW EXECUTE FUNCTION "no_instance_while_stopped"();', ""],
    ["restore: nothing becomes allocatable while stopped", "IF database_is_stopped() THEN NEW.allocatable := false; END IF;", ""],
    ["restore: a machine that was not known owes", 'CREATE TRIGGER "owes_since_restore" AFTER INSERT OR UPDATE OF "serial" ON "host" FOR EACH ROW EXECUTE FUNCTION "owes_since_restore"();', ""],
  ]),
];
