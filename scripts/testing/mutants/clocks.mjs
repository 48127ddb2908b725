// Safety checks of clocks, durations and the wait for an erase: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

const listening = "server/db/hot/listening.itest.ts";
const reports = "server/surfaces/machine/agent/reports.itest.ts";

export const clocks = [
  ...of("unit", "server/domain/cleaning/erase-time.ts", "server/domain/cleaning/erase-time.test.ts", [
    ["erase: the drive that takes longest", "Math.min(Math.max(...known), (reportedAtMs", "Math.min(Math.min(...known), (reportedAtMs"],
    ["erase: one unknown drive makes the time limit hold", "if (times.length > 0 && known.length === times.length) return longestMs;", "if (known.length > 0) return longestMs;"],
    ["erase: no end beyond the policy's maximum", "(reportedAtMs ?? Infinity) + mostMs", "Infinity"],
    ["erase: no far time that was remembered", "Math.min(leftUntilMs, stateSinceMs + 2 * facts.mostMs)", "leftUntilMs"],
    ["erase: what nothing is known of is protected", "if (runsMs === null && leftMs === null) return stateSinceMs + facts.mostMs;", ""],
    ["erase: a drive without capacity gets the maximum", "devices.some(({ capacityBytes }) => !(Number(capacityBytes) > 0))", "false"],
  ]),
  ...of("unit", "server/controller/agent-step.ts", "server/controller/agent-step.test.ts", [
    ["step: one that gets on is not timed out", "const deadline = outOfTimeMs(draft, row);", "const deadline = row.deadlineAtMs ?? draft.nowMs;"],
    ["step: nothing is known of the drives when it begins", "drives: declared.erases ? devices.map(({ serial }) => serial) : []", "drives: []"],
  ]),
  ...of("unit", "server/controller/agent-step.ts", "server/controller/erase-wait.test.ts", [
    ["step: a drive that may erase on after the report", "draft.eraseLeft || (declared.erases && mayErase(report))", "draft.eraseLeft"],
  ]),
  ...of("unit", "server/controller/erase-wait.ts", "server/controller/erase-wait.test.ts", [
    ["wait: every known drive is named", "if (silent.length > 0) return", "if (silent.length > 99) return"],
    ["wait: a drive that erases", "if (erasing.length > 0) return", "if (erasing.length > 99) return"],
    ["wait: an answer of another boot", "said.bootEpoch !== draft.bootEpoch || !isOurs(draft)", "!isOurs(draft)"],
    ["wait: an agent that works", "if (said.busy) return", "if (said.drives === undefined) return"],
    ["wait: an old agent is not asked", " || !mayLook(agent.agentVersion)) return null;", ") return null;"],
  ]),
  ...of("unit", "server/controller/boot.ts", "server/controller/erase-wait.test.ts", [
    ["boot: the reboot rule waits for an erase", "if (boot === null || boot.orderedAt !== null) {", "if (boot === null) {"],
  ]),
  ...of("unit", "server/domain/lifecycle/intents.ts", "server/domain/lifecycle/intents.test.ts", [
    ["intents: no skipped wait where a drive can be asked", "return facts.drivesHeard ?", "return facts.retired ?"],
  ]),
  ...of("unit", "server/controller/commit-rows.ts", "server/controller/commit-rows.test.ts", [
    ["fence: a report that came while its attempt was given up", " || touched_set || endsUnheard({ view, decision }),", " || touched_set,"],
  ]),
  ...of("integration", "server/db/hot/agent-report.ts", reports, [
    ["report: durations are anchored when they come", "floor(extract(epoch FROM now()) * 1000 + d.ms)", "d.ms"],
    ["report: what is said of one drive shortens no other", "ELSE a.erase_ends || (", "ELSE ("],
    ["report: the same numbers are no progress", "CASE WHEN a.moved_mark IS DISTINCT FROM r.mark THEN now() ELSE a.moved_at END", "now()"],
    ["report: none for a plan that was replaced", " AND c.plan_epoch = ${step}.plan_epoch AND c.ended_at IS NULL)", ")"],
    ["report: none of a boot that was replaced", "`${newestBoot} AND ${attempt}.verdict", "`${newestBoot} IS NOT NULL AND ${attempt}.verdict"],
  ]),
  ...of("integration", "server/db/hot/claim.ts", listening, [
    ["gap: nobody is judged before it is moved", "      AND ${clockIsHeard}\n", ""],
  ]),
  ...of("integration", "server/db/hot/listening.ts", listening, [
    ["gap: time limits", "SET deadline_at = t.deadline_at + g.gap", "SET deadline_at = t.deadline_at"],
    ["gap: ends of erases", "to_jsonb((e.value)::float8 + extract(epoch FROM s.gap) * 1000)", "e.value"],
    ["gap: sessions", "expires_at = a.expires_at + g.gap", "expires_at = a.expires_at"],
    ["gap: who is silent stays so", "THEN now() ELSE a.last_seen_at + g.gap END,\n      registered_at", "THEN now() ELSE now() END,\n      registered_at"],
    ["gap: a decision from before a clock was set back is not written", "THEN r.generation + 1 ELSE r.generation END", "THEN r.generation ELSE r.generation END"],
  ]),
];
