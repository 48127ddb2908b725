// Safety checks of what the database and the machine surfaces refuse: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

const fence = "server/controller/fence.itest.ts";
const agentCalls = "server/surfaces/machine/agent/agent.itest.ts";
const agentReports = "server/surfaces/machine/agent/reports.itest.ts";
const migration = "prisma/migrations/20261121000000_first/migration.sql";
const boots = "server/surfaces/machine/boot/boot.itest.ts";
export const database = [
  ...of("integration", "server/db/hot/commit.ts", fence, [
    ["commit: generation", "r.generation = i.generation::bigint AND r.lease_owner = $1::uuid AND r.lease_until", "r.lease_owner = $1::uuid AND r.lease_until"],
    ["commit: lease owner", "AND r.lease_owner = $1::uuid AND r.lease_until > clock_timestamp()\n      AND (i.expect", "AND r.lease_until > clock_timestamp()\n      AND (i.expect"],
    ["commit: lease not over", " AND r.lease_until > clock_timestamp()\n      AND (i.expect", "\n      AND (i.expect"],
    ["commit: evidence has not moved", "AND (i.expect_evidence_seq IS NULL OR r.evidence_seq = i.expect_evidence_seq::bigint)", ""],
    ["commit: nothing came meanwhile, where that matters", "AND (NOT i.strict OR r.wake_seq = i.wake_seq::bigint)", ""],
    ["commit: an erase outlives its host", "greatest(x.erase_until, excluded.erase_until)", "excluded.erase_until"],
    ["commit: a signal that came meanwhile wakes", "CASE WHEN r.wake_seq <> i.wake_seq::bigint THEN now() ELSE", "CASE WHEN false THEN now() ELSE"],
  ]),
  ...of("integration", "server/db/hot/effects.ts", fence, [
    ["permit: generation", "AND r.generation = i.generation AND r.lease_owner = $1::uuid AND r.lease_until", "AND r.lease_owner = $1::uuid AND r.lease_until"],
    ["permit: lease owner", "AND r.lease_owner = $1::uuid AND r.lease_until > clock_timestamp()\n      AND NOT", "AND $1::uuid IS NOT NULL AND r.lease_until > clock_timestamp()\n      AND NOT"],
    ["permit: lease not over", " AND r.lease_until > clock_timestamp()\n      AND NOT", "\n      AND NOT"],
    ["permit: no power while a drive may be erasing", "AND NOT (i.power AND (r.erasing OR EXISTS", "AND NOT (i.power AND (EXISTS"],
    ["permit: no power while a step works", "OR EXISTS (SELECT 1 FROM step_run t WHERE t.host_id = r.host_id AND t.status = 'running'", "OR EXISTS (SELECT 1 FROM step_run t WHERE t.host_id = r.host_id AND t.status = 'never'"],
    ["permit: no power for a step of the controller that did not ask for it", "coalesce((r.context #>> '{cleaning,job,restartEpoch}')::int <= i.boot_epoch, t.step IN ('power_on', 'power_off', 'hold'))", "true"],
    ["permit: no power for a step of the agent, whatever another step asked for", "AND NOT (t.\"where\" = 'controller' AND coalesce", "AND NOT (coalesce"],
    ["permit: nothing that registers withholds a restart", "    RETURNING r.host_id, i.generation, i.effect_id, i.phase, i.hold_ms, i.reset_mark", "      AND NOT EXISTS (SELECT 1 FROM agent_session g WHERE g.host_id = r.host_id AND g.boot_epoch = i.boot_epoch)\n    RETURNING r.host_id, i.generation, i.effect_id, i.phase, i.hold_ms, i.reset_mark"],
    ["settle: only a proven restart opens a boot", "AND i.value #>> '{restart,proof}' IS NOT NULL", ""],
    ["permit: the lease is prolonged", "greatest(r.lease_until + interval '1 millisecond', clock_timestamp() + i.hold_ms * interval '1 millisecond')", "greatest(r.lease_until + interval '1 millisecond', clock_timestamp() + 0 * i.hold_ms * interval '1 millisecond')"],
  ]),
  ...of("integration", "server/db/hot/lease.ts", "server/db/hot/lease.itest.ts", [
    ["lease: kept while a request is under way", "lease_owner = CASE WHEN f.until > clock_timestamp() THEN r.lease_owner END", "lease_owner = NULL::uuid"],
    ["lease: not freed by a look that is older than the permit", "WHERE r.host_id = f.host_id AND r.lease_until = f.lease_until", "WHERE r.host_id = f.host_id"],
  ]),
  ...of("integration", "server/db/hot/agent-boot.ts", boots, [
    ["boot: no token before the restart is done", "WHEN b.reset_done_at IS NULL THEN 'early'", ""],
    ["boot: no token in a contested boot", "CASE WHEN b.contested_at IS NOT NULL THEN 'contested' WHEN", "CASE WHEN"],
    ["boot: one that asked too early marks the boot", "contested_at = CASE WHEN w.verdict = 'early' THEN now() ELSE b.contested_at END", "contested_at = b.contested_at"],
  ]),
  ...of("integration", "server/agents/boot/boot-server.ts", boots, [
    ["boot: no image before the restart is done", "if (!row.reset_done || row.contested) return waitScript(self);", "if (row.contested) return waitScript(self);"],
    ["boot: a held host never goes on to its disk", "return row.held ? waitScript(self) : bootFromDisk;", "return bootFromDisk;"],
    ["boot: a boot that nobody ordered is told", "if (row.held && (!row.open || row.consumed)) await this.#unordered(row, query, \"asked for a boot script\");", ""],
  ]),
  ...of("unit", "server/agents/boot/scripts.ts", "server/simulator/host/ipxe.test.ts", [
    ["image: a signature that does not fit starts nothing", "`imgverify ${name} ${url}/${name}.sig || goto again`", "`imgverify ${name} ${url}/${name}.sig ||`"],
  ]),
  ...of("integration", "server/db/hot/agent-register.ts", agentCalls, [
    ["register: not before the restart is done", "              WHEN w.reset_done_at IS NULL THEN 'early'\n", ""],
    ["register: not in a contested boot", "              WHEN w.contested_at IS NOT NULL THEN 'contested'\n", ""],
    ["register: a second run of one identity", " OR s.run_hash IS NULL OR s.run_hash IS DISTINCT FROM decode(w.run, 'hex')", ""],
    ["register: a second one marks the boot", "bool_or(verdict IN ('conflict', 'early')) AS contested", "false AS contested"],
  ]),
  ...of("integration", "server/controller/permit-desk.ts", "server/controller/permit-desk.itest.ts", [
    ["permit: each host by its own answer", "granted.has(effectId)", "granted.size > 0 || granted.has(effectId)"],
    ["permit: one question per host and statement", "key: ({ hostId }) => hostId, ", ""],
  ]),
  ...of("unit", "server/db/hot/gather.ts", "server/db/hot/gather.test.ts", [
    ["gather: two of one key are not in one statement", " || batch.has(of)) later.push(item);", ") later.push(item);"],
    ["gather: one that is refused fails alone", "if (batch.length > 1 && isRefusal(error))", "if (batch.length > 1 && !isRefusal(error))"],
    ["gather: nobody gets the answer of another", "if (answers.length !== batch.length) throw", "if (answers.length > batch.length) throw"],
  ]),
  ...of("integration", "server/db/hot/pool.ts", "server/db/hot/deadlock.itest.ts", [
    ["pool: a statement that a deadlock undid runs again", "error.code === deadlockDetected && runs < mostRuns", "error.code === deadlockDetected && runs < 1"],
  ], "runs again"),
  ...of("integration", "server/db/hot/claim.ts", "server/db/hot/claim-race.itest.ts", [
    ["claim: signals and wake sequence of one snapshot", "'wakeSeq', r.seen_wake_seq::text", "'wakeSeq', r.wake_seq::text"],
    ["claim: evidence and its sequence of one snapshot", "'evidenceSeq', r.seen_evidence_seq::text", "'evidenceSeq', r.evidence_seq::text"],
    ["claim: of the generation that was seen", " AND seen.generation = due.generation\n", "\n"],
  ]),
  ...of("integration", "server/db/hot/claim.ts", fence, [
    ["claim: not what another controller has leased", "WHERE due_at <= now() AND (lease_owner IS NULL OR lease_until < now())\n", "WHERE due_at <= now()\n"],
  ]),
  // The function was written anew for hosts without a machine.
  ...of("integration", "prisma/migrations/20261121001200_fake_hardware/migration.sql", fence, [
    ["database: a Ready host owes nothing", "d.chassis_serial = h.serial WHERE h.id = NEW.host_id AND d.cleared_at IS NULL)", "d.chassis_serial = h.serial WHERE false)"],
  ]),
  ...of("integration", migration, fence, [
    ["database: ready_is_proven", "CREATE TRIGGER \"ready_is_proven\" AFTER UPDATE OF \"state\" ON \"host_run\"\n  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION \"ready_is_proven\"();", ""],
    ["database: a debt is never deleted", 'CREATE TRIGGER "debt_stands" BEFORE DELETE ON "debt" FOR EACH ROW EXECUTE FUNCTION "debt_stands"();', ""],
  ]),
  ...of("integration", "server/db/hot/agent-register.ts", agentCalls, [
    ["boot token: used once", "WHEN s.last_seen_at > s.registered_at THEN 'used'", ""],
    ["boot token: of the newest boot, and in time", "WHEN NOT w.open THEN 'expired'", ""],
    ["boot token: of the host's own identity", "WHEN w.known_uuid IS DISTINCT FROM w.system_uuid OR w.known_serial IS DISTINCT FROM w.serial THEN 'conflict'\n", "\n"],
    ["boot token: one identity in one window", "s.identity <> w.identity OR ", ""],
  ], "^register"),
  ...of("integration", "server/db/hot/agent-session.ts", agentCalls, [
    ["session: not over", " AND a.expires_at > now())`;", ")`;"],
  ], "refuses a session that is over"),
  ...of("integration", "server/db/hot/agent-report.ts", agentReports, [
    ["report: of this host", "ON x.id = r.step_run_id AND x.host_id = r.host_id", "ON x.id = r.step_run_id"],
    ["report: of this boot", " AND a.boot_epoch = r.boot_epoch)`;", ")`;"],
    ["report: of a step that runs", "coalesce(x.attempt = a.attempt AND a.report_hash IS NULL AND (x.status = 'running' AND a.verdict IS NULL OR ${unreplaced(\"x\", \"a\", \"r.newest\")}), false) AS open", "x.attempt = a.attempt AND a.report_hash IS NULL AS open"],
  ], "reports that change nothing|an agent that was lost"),
  ...of("integration", "server/db/hot/agent-report.ts", "server/surfaces/machine/agent/gathered.itest.ts", [
    ["report: each by its own attempt", "FROM r JOIN t ON t.n = r.n AND t.open WHERE", "FROM r JOIN t ON t.open WHERE"],
    ["report: each answered by its own", "WHEN NOT t.open THEN 'over'\n               ELSE 'moved' END AS verdict\n     FROM r LEFT JOIN t ON t.n = r.n LEFT JOIN put ON put.n = r.n`", "WHEN NOT t.open THEN 'over'\n               ELSE 'moved' END AS verdict\n     FROM r LEFT JOIN t ON t.n = r.n LEFT JOIN put ON true`"],
  ], "results"),
  ...of("integration", "server/db/hot/agent-answer.ts", agentReports, [
    ["answer: to the command that was given", "AND r.command->>'id' = s.answers AND", "AND s.answers IS NOT NULL AND"],
  ], "are refused when they were not"),
  ...of("integration", "server/db/hot/network-acknowledgement.ts", "server/surfaces/machine/network/network.itest.ts", [
    ["acknowledgement: of the wanted version", "(r.wanted->>'version')::int IS DISTINCT FROM r.version OR ", "r.version IS NULL OR "],
    ["acknowledgement: of the wanted configuration", "WHEN r.wanted_sha256 <> r.sha256 THEN 'stale'", ""],
    ["acknowledgement: of a host of the site", " AND r.site_id = a.site_id ORDER BY", " ORDER BY"],
  ]),
  ...of("integration", "server/usecases/instances/claim-host.ts", "server/usecases/instances/instances.itest.ts", [
    ["claim: an allocatable host", "r.state = 'Ready' AND r.allocatable AND", "r.state = 'Ready' AND"],
    ["claim: an exact host needs the capability", "if (exact && !actor.targeted) return refused", "if (exact && actor.targeted === null) return refused"],
  ]),
  ...of("integration", "server/usecases/hosts/enroll-hosts.ts", "server/usecases/hosts/hosts.itest.ts", [
    ["enroll: no power while the chassis may be erasing", "...(eraseUntil === null ? {} : { erasing: true,", "...(eraseUntil === null ? {} : { erasing: false,"],
    ["enroll: what a deleted host left erasing", "const eraseUntil = erases.get(serial) ?? null;", "const eraseUntil = erases.get(\"\") ?? null;"],
  ], "enrolling"),
  ...of("integration", "server/surfaces/web/session.ts", "server/surfaces/web/http.itest.ts", [
    ["sign-out: a kept cookie", " || (await isSignedOut(database, parsed.data.sessionId))", ""],
  ], "a session"),
  ...of("integration", "server/surfaces/web/auth-options.ts", "server/surfaces/web/http.itest.ts", [
    ["sign-out: no new cookie for an ended session", " || (await isSignedOut(backend.database, session.data.sessionId))", ""],
  ], "a session"),
  ...of("integration", "server/surfaces/web/auth-options.ts", "server/surfaces/web/sign-in-http.itest.ts", [
    ["sign-in: nothing of the driver is told", 'throw told(outage === null ? "ServerFailed" : "NoDatabase");', "throw error;"],
  ]),
  ...of("integration", "server/db/retention.ts", "server/db/retention.itest.ts", [
    ["retention: boots of an open reclamation are kept", "      AND NOT EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = b.host_id AND c.ended_at IS NULL)\n", ""],
    ["retention: boots of a reclamation are kept as evidence", "AND w.opened_at <= c.ended_at", "AND w.opened_at > c.ended_at"],
  ]),
  ...of("integration", "server/usecases/define-act.ts", "server/usecases/instances/instances.itest.ts", [
    ["ownership: another tenant's instance is hidden", 'if (decision === "hidden") return notFound(named.kind, named.id);', ""],
  ]),
  ...of("integration", "server/usecases/define-act.ts", "server/usecases/bulk/bulk.itest.ts", [
    ["rights: what was found says what it takes", "target.right === undefined ? [right] : [right, target.right]", "[right]"],
  ], "who may clean"),
  ...of("integration", "server/usecases/bulk/ask-portion.ts", "server/usecases/bulk/bulk.itest.ts", [
    ["many hosts: one that moved on since the preview", "row.state_version !== row.seen", "false"],
    ["many hosts: who cannot is not asked", "WHERE b.bulk_id = ${id}::uuid AND b.status = 'can' ORDER BY", "WHERE b.bulk_id = ${id}::uuid ORDER BY"],
  ], "exactly its preview|asked twice"),
  ...of("integration", "server/usecases/cleaning/start-cleaning.ts", "server/usecases/cleaning/acts.itest.ts", [
    ["manual cleaning: a trait shared with the runbook", "const locked = traitRefusal(work.value, known.traits);", "const locked = null;"],
    ["manual cleaning: every fault before anything runs", "if (found !== null) return { ok: false, problem: found };", ""],
  ], "cleaning by hand"),
  ...of("integration", "server/usecases/cleaning/save-override.ts", "server/usecases/cleaning/acts.itest.ts", [
    ["override: no tie", "if (ties.length > 0) return tieRefusal(ties);", ""],
  ], "an override"),
  ...of("integration", "server/usecases/hosts/maintenance.ts", "server/usecases/hosts/hosts.itest.ts", [
    ["recheck: the end of maintenance is no proof", '(${to.kind !== "endUntouched"} OR u.touch_uncovered)', '(${to.kind === "set"} OR u.touch_uncovered)'],
    ["recheck: a statement covers its own maintenance", "ELSE r.touched END,", "ELSE false END,"],
    ["recheck: no statement covers a withdrawn disposition", " touch_uncovered = true, allocatable", " allocatable"],
  ], "maintenance"),
  ...of("integration", "server/usecases/hosts/dispose-drive.ts", "server/usecases/hosts/dispose-drive.itest.ts", [
    ["recheck: a host whose disposition was withdrawn is not allocated", "  await touchUnallocated(tx, hostId, `the disposition of drive ${drive} was withdrawn`);\n", ""],
    ["disposition: a drive nobody answers for any more is owed", "    await oweAgain(tx, facts.hostId, drive);\n", ""],
  ], "taken back"),
];
