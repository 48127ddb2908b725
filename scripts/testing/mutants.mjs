// The safety checks, and what each file looks like without its check: for `scripts/mutation.mjs`. A check that is rewritten is rewritten here, too.

/**
 * @typedef {object} Mutant
 * @property {string} check what is taken out
 * @property {string} file
 * @property {string} find the exact text of the check, once in the file
 * @property {string} replace what stands there without it
 * @property {"unit" | "integration"} project
 * @property {readonly string[]} tests the files of which one test must fail
 * @property {string} only a pattern of the names of the tests that are run, where a file has slow ones; empty: all
 */

/**
 * @param {Mutant["project"]} project
 * @param {string} file
 * @param {string} test
 * @param {readonly (readonly [check: string, find: string, replace: string])[]} checks
 * @param {string} [only]
 * @returns {Mutant[]}
 */
const of = (project, file, test, checks, only = "") => checks.map(([check, find, replace]) => ({ check, file, find, replace, project, tests: [test], only }));

const agent = [
  ...of("unit", "agent/verification/markers.ts", "agent/verification/verification.test.ts", [
    ["agent: comparison of markers", "if (contentOf(seed, index, content.length).equals(content)) found += 1;", ""],
  ]),
  ...of("unit", "agent/verification/digests.ts", "agent/verification/verification.test.ts", [
    ["agent: comparison of digests", "if (digest(position, content) === old) matches += 1;", ""],
  ]),
  ...of("unit", "agent/verification/verify.ts", "agent/verification/verification.test.ts", [
    ["agent: what the first attempt sampled", "matches: own.matches + first.matches", "matches: own.matches"],
    ["agent: nothing to compare is no success", "prepared === 0 ||", ""],
    ["agent: unreadable blocks refute all but a cryptographic erase", "(unreadable && !cryptographic.has(technique))", "false"],
  ]),
  ...of("unit", "agent/steps/erase-devices.ts", "server/simulator/reclamation.test.ts", [
    ["agent: journal before sending", "ready.length === 0 || (await reporter.acknowledge()).goOn", "true"],
    ["agent: an expected device that is gone", "[...kept, ...results, ...gone]", "[...kept, ...results]"],
  ]),
  ...of("unit", "agent/steps/prepare-device.ts", "server/simulator/reclamation.test.ts", [
    ["agent: status before sending again", "if (earlier !== null && (", "if (false && earlier !== null && ("],
  ]),
];

const judging = [
  ...of("unit", "server/domain/sanitization/judge.ts", "server/domain/sanitization/judge.test.ts", [
    ["judge: the device's own result", 'if (report.result !== "OK" || report.missing === true) return verdict', 'if (report.result === undefined) return verdict'],
    ["judge: a technique completed", "if (technique === undefined) return verdict", "if (technique === null) return verdict"],
    ["judge: the last command sent", "if (last === undefined || last.technique !== technique) return", "if (last === undefined) return"],
    ["judge: the device completed it", "if (!last.completed || last.exitCode !== 0)", "if (last.exitCode !== 0)"],
    ["judge: the command's exit code", "if (!last.completed || last.exitCode !== 0)", "if (!last.completed)"],
    ["judge: a technique that never counts", 'if (level === "none") return verdict', 'if (level === null) return verdict'],
    ["judge: the minimum level", "if (!reaches(level, minimum)) return verdict", "if (minimum === undefined) return verdict"],
    ["judge: exception only", "if (!countsWithoutException(technique)) return verdict", "if (minimum === undefined) return verdict"],
    ["judge: not read back", 'if (read === undefined) return verdict("failed", "the device was not read back");', 'if (read === undefined) return verdict("sanitized", "");'],
    ["judge: status only", 'read.kind === "status-only" || ', ""],
    ["judge: impossible to sample", 'read.result === "impossible" || ', ""],
    ["judge: nothing sampled", " || read.samples + read.markersWritten === 0", ""],
    ["judge: mismatches", "if (read.mismatches > 0 || ", "if ("],
    ["judge: markers found", "read.markersFound > 0 || ", ""],
    ["judge: the verdict of reading back", ' || read.result !== "passed"', ""],
    ["judge: the medium is not the report's to choose", "known.get(deviceKey(device)) ?? device.media", "device.media"],
    ["judge: device-set equality", "...unreported.map((device) => `", "...unreported.slice(unreported.length).map((device) => `"],
    ["judge: a failed device fails the step", "...failed.map((device) => `", "...failed.slice(failed.length).map((device) => `"],
    ["judge: a device told of twice", "const twice = report.devices.length !== reported.size;", "const twice = false;"],
    ["judge: the step's own result", 'report.result === "ERROR" && !repeated ? [report.message', 'report.result === undefined && !repeated ? [report.message'],
  ]),
  ...of("unit", "server/domain/sanitization/known-devices.ts", "server/domain/sanitization/known-devices.test.ts", [
    ["devices: what the BMC knows and nobody sees", 'if (known === undefined) missing.push(', "if (known === null) missing.push("],
    ["devices: what a debt names", "if (!serials.has(serial)) missing.push(", "if (serial === undefined) missing.push("],
    ["devices: the set found equals the set treated", "if (gone.length === 0 && fresh.length === 0) return null;", "return null;"],
    ["devices: a new drive after cleaning", "const fresh = found.filter((d) => !treatedKeys.has(deviceKey(d))).map((d) => d.serial);", "const fresh: string[] = [];"],
  ]),
  ...of("unit", "server/domain/inventory/inventory.ts", "server/domain/sanitization/judge.test.ts", [
    ["devices: the model is part of the identity", "return `${device.serial}\\u0000${device.model}`;", "return device.serial;"],
  ]),
];

const gates = [
  ...of("unit", "server/domain/gates/gate-names.ts", "server/domain/gates/evaluate.test.ts", [
    ["gates: not implemented passes on a demo site only", "return demoSite;", "return true;"],
    ["gates: unsatisfied does not pass", 'case "unsatisfied":\n      return false;', 'case "unsatisfied":\n      return true;'],
  ]),
  ...of("unit", "server/domain/gates/evaluate.ts", "server/domain/gates/evaluate.test.ts", [
    ["gates: an open instance", 'if (input.instanceOpen) return unsatisfied("an instance is on the host");', ""],
    ["gates: held network resources", "if (input.resourcesHeld > 0) return unsatisfied(", "if (input.resourcesHeld < 0) return unsatisfied("],
    ["gates: the admin network", "return state.done ? satisfied(", "return state.done !== undefined ? satisfied("],
    ["gates: extension services are acknowledged as gone", 'return running.length === 0 && acknowledged(input.network, "admin").done ?', "return running.length === 0 ?"],
    ["gates: no debt is left out with the cleaning", "(input.debts === 0 ? notRequired", "(input.debts >= 0 ? notRequired"],
    ["gates: no debt is left out with a disabled step", "return input.debts === 0 ? { ...notRequired(named(steps)), evidence }", "return input.debts >= 0 ? { ...notRequired(named(steps)), evidence }"],
    ["gates: a drive that failed is not left out with its step", "verdicts.has(deviceKey(device)) || !untreated", "!untreated"],
    ["gates: only a disabled step's own drives are left out", " || !untreated.has(deviceKey(device)));", ");"],
    ["gates: a disabled erase that names no drive", "row.devices.length === 0 || row.devices.some", "row.devices.some"],
    ["gates: a disabled step for the platform", "return left.length > 0 && input.debts > 0 ? disabled(input, left)", "return left.length > 99 ? disabled(input, left)"],
    ["gates: a plan was made", "if (!input.planMade || input.plan.length === 0) return", "if (input.plan === null) return"],
    ["gates: an empty list of drives proves nothing", "return input.skuHasStorage ? unsatisfied(", "return input.skuHasStorage === null ? unsatisfied("],
    ["gates: every drive is sanitized", 'verdicts.get(deviceKey(device))?.verdict !== "sanitized");', "verdicts.get(deviceKey(device)) === null);"],
    ["gates: an inventory after cleaning", 'if (input.proven.sku === null) return unsatisfied("no inventory was taken after cleaning", evidence);', ""],
    ["gates: the drives after cleaning", "if (storage !== null && storage !== undefined) return", "if (storage === 0) return"],
    ["gates: a restart after the memory step", "if (epoch === null || input.bootEpoch <= epoch) return", "if (epoch === null) return"],
    ["gates: the SKU", "return sku.differences === 0 ?", "return sku.differences >= 0 ?"],
    ["gates: a failed test", "if (tests.failed.length > 0) return", "if (tests.failed === null) return"],
    ["gates: a skipped test", "if (tests.skipped.length > 0) return", "if (tests.skipped === null) return"],
    ["gates: maintenance", "healthy: (input) => (input.maintenance ?", "healthy: (input) => (input.maintenance === null ?"],
  ]),
  ...of("unit", "server/domain/network/acknowledged.ts", "server/domain/network/acknowledged.test.ts", [
    ["network: the version acknowledged", " && ack.version === wanted.version", ""],
    ["network: the configuration acknowledged", " && ack.sha256 === network.sha256", ""],
    ["network: every interface", "if (waiting.length > 0) return", "if (waiting === null) return"],
    ["network: extension services", 'if (kind !== "tenant" && running.length > 0)', 'if (kind === null && running.length > 0)'],
  ]),
  ...of("unit", "server/controller/handlers/return-to-allocation.ts", "server/controller/handlers/return-to-allocation.test.ts", [
    ["Ready: every gate passes", 'if (open.length > 0) return fail("GateUnsatisfied"', 'if (open.length > 99) return fail("GateUnsatisfied"'],
    ["Ready: a debt needs its gates", "if (unproven.length > 0) return fail(", "if (unproven.length > 99) return fail("],
    ["Ready: the evidence has not moved", "draft.expectEvidenceSeq = draft.view.run.evidenceSeq;", ""],
    ["Ready: maintenance waits", "if (!draft.maintenance) return goto(", "if (draft.state) return goto("],
  ]),
];

const admission = [
  ...of("unit", "server/domain/cleaning/admission.ts", "server/domain/cleaning/admission.test.ts", [
    ["admission: hosts at work", "use.atWork >= limits.atWork)", "use.atWork > 99_999)"],
    ["admission: boots of a segment", "count(use.boots, host.segment) >= limits.bootsPerMinute)", "count(use.boots, host.segment) > 99_999)"],
    ["admission: those admitted now count", "    atWork += 1;\n", ""],
  ]),
  ...of("unit", "server/controller/handlers/queued.ts", "server/controller/handlers/queued.test.ts", [
    ["admission: a brake holds back who was told to begin", "if (braked !== null) {", "if (braked === undefined) {"],
    ["admission: a claim without brakes shows none", "if (draft.view.brakes === null) return wait(", "if (draft.view.brakes === undefined) return wait("],
    ["admission: a place is waited for", 'if (draft.take("admitted") === null && isLimited(', 'if (draft.take("admitted") === undefined && isLimited('],
  ]),
  ...of("unit", "server/db/hot/policy-cache.ts", "server/db/hot/policy-cache.test.ts", [
    ["policy: one that is not valid is not known", "if (!parsed.success) {", "if (parsed.success === undefined) {"],
  ]),
  ...of("unit", "agent/steps/erase-devices.ts", "server/simulator/by-hand.test.ts", [
    ["agent: by hand only the drives that were asked for", "named.success ? all.filter(", "!named.success ? all.filter("],
  ]),
];

const handlers = [
  ...of("unit", "server/domain/cleaning/plan.ts", "server/domain/cleaning/plan.test.ts", [
    ["plan: no order that is an accident", "if (ties.length > 0) return", "if (ties.length > 99) return"],
    ["plan: storage rests on every erase", "const proves = step.erases ?", "const proves = step === null ?"],
  ]),
  ...of("unit", "server/controller/handlers/cleanup.ts", "server/controller/handlers/cleanup.test.ts", [
    ["plan: the host's own setting", "if (own ?? draft.policy.automatedClean) return null;", "if (draft.policy.automatedClean) return null;"],
    ["plan: the priorities that people set", "if (draft.view.overrides === null) return wait(", "if (draft.view.overrides === undefined) return wait("],
    ["plan: a missing drive stops the host", "if (devices.missing.length > 0) {", "if (devices.missing.length > 99) {"],
    ["plan: a debt is cleaned although cleaning is off", "if (draft.debts === 0) {", "if (draft.debts >= 0) {"],
    ["plan: the admin network first", "if (network !== null) return network;", ""],
    ["plan: the agent's report is of this boot", " || agent.bootEpoch !== draft.bootEpoch) {", ") {"],
    ["plan: a restart after the last step", "draft.context.minEpoch = Math.max(draft.context.minEpoch, (draft.context.proven.lastStepEpoch ?? 0) + 1);", ""],
  ]),
  ...of("unit", "server/controller/boot.ts", "server/controller/boot.test.ts", [
    ["boot: no restart into an erase", "mayRunUntil !== null && mayRunUntil > draft.nowMs", "mayRunUntil === 0"],
    ["boot: an unknown restart is looked up", 'if (outcome.phase !== "setBoot") return lookUp(draft);', 'if (outcome.phase !== "setBoot") return order(draft);'],
    ["boot: a host that is off does not boot", 'bootOverride.enabled || power === "off" ?', "bootOverride.enabled ?"],
    ["boot: a second identity", "if (conflict !== null && conflict.bootEpoch === draft.bootEpoch) return fail", "if (conflict === undefined) return fail"],
    ["boot: no more restarts than policy allows", "if (boot.attempt >= times.maxBoots) return fail", "if (boot.attempt > 99) return fail"],
  ]),
  ...of("unit", "server/controller/boot.ts", "server/controller/handlers/cleanup.test.ts", [
    ["boot: an agent of an earlier boot", " || agent.bootEpoch < draft.context.minEpoch) return false;", ") return false;"],
    ["boot: an agent that is silent", "return draft.nowMs - agent.lastSeenMs <= draft.policy.times.agentFreshMs;", "return true;"],
  ]),
  ...of("unit", "server/controller/draft.ts", "server/controller/boot.test.ts", [
    ["boot: an erase outlives its reclamation", "if (untilMs !== null) this.context = { ...this.context, eraseUntil: new Date(untilMs).toISOString() };", ""],
  ]),
  ...of("unit", "server/controller/draft.ts", "server/controller/handlers/failed.test.ts", [
    ["credential: one more attempt, not many", "if (retried) delete this.context.retryCredential;", ""],
  ]),
  ...of("unit", "server/controller/draft.ts", "server/controller/handlers/provider.test.ts", [
    ["deletion: a step that runs counts with its time limit", "running?.deadlineAtMs ?? 0);", "0);"],
  ]),
  ...of("unit", "server/domain/cleaning/interruptions.ts", "server/domain/cleaning/interruptions.test.ts", [
    ["abort: never cuts into an erase that nobody hears of", 'effect: erasing ? "stopAfterEstimate" : "stopNow"', 'effect: "stopNow"'],
    ["abort: a step that cannot be stopped is waited for", 'effect: abortable ? "stopStep" : "stopAfterStep"', 'effect: "stopStep"'],
    ["abort: an erase goes on after its attempt was given up", 'return erasing ? "agentSilent" : "betweenSteps";', 'return "betweenSteps";'],
  ]),
  ...of("unit", "server/controller/interruptions.ts", "server/controller/interruptions.test.ts", [
    ["abort: the estimate of an erase is waited for", "if (abort !== null) return erasing ? wait(", "if (abort !== null) return eraseEndsMs === 0 ? wait("],
    ["abort: an agent that did not report is not used again", 'if (running.where === "agent") draft.context.minEpoch', 'if (running.where === "controller") draft.context.minEpoch'],
  ]),
  ...of("unit", "server/controller/reserved-step.ts", "server/controller/interruptions.test.ts", [
    ["reserved: no power action falls into an erase", "if (untilMs !== null && untilMs > draft.nowMs) return step(wait(", "if (untilMs === 0) return step(wait("],
    ["reserved: an agent that was switched off is not used again", 'if (row.step === "power_off") draft.context.minEpoch', 'if (row.step === "never") draft.context.minEpoch'],
  ]),
  ...of("unit", "server/controller/handlers/manual-cleaning.ts", "server/controller/handlers/manual-cleaning.test.ts", [
    ["by hand: it ends in Manageable, cleaned and no more", 'draft.endReclamation("cleaned", null);', 'draft.endReclamation("cleaned", null);\n    draft.clearDebts = "by hand";'],
    ["by hand: a list with a fault runs no step", "if (faults.length > 0) return fail(", "if (faults.length > 99) return fail("],
    ["by hand: a list that was refused is not cleaned by a retry", "if (draft.steps.length === 0) return fail(", "if (draft.steps.length < 0) return fail("],
  ]),
  ...of("unit", "server/controller/agent-ready.ts", "server/controller/handlers/manual-cleaning.test.ts", [
    ["version: a plan is begun again once only", "if (cleaning.versionRestarts >= mostVersionRestarts) return fail(", "if (cleaning.versionRestarts > 99) return fail("],
    ["version: a list is checked against the agent that runs it", 'if (faults.length > 0) return fail("CleanFailed"', 'if (faults.length > 99) return fail("CleanFailed"'],
  ]),
  ...of("unit", "server/controller/agent-step.ts", "server/controller/handlers/manual-cleaning.test.ts", [
    ["step: a drive that it names is there", "if (strange.length > 0) {", "if (strange.length > 99) {"],
  ]),
  ...of("unit", "server/controller/draft.ts", "server/controller/handlers/manual-cleaning.test.ts", [
    ["by hand: what it proved counts for no later gate", "proven: emptyProven(), cleaning: emptyCleaning()", "cleaning: emptyCleaning()"],
  ]),
  ...of("unit", "server/controller/agent-step.ts", "server/controller/agent-step.test.ts", [
    ["step: the report is judged", "if (verdict.ok) {", "if (verdict.ok || true) {"],
    ["step: an agent that was lost is not used again", "draft.context.minEpoch = Math.max(draft.context.minEpoch, (draft.attempt?.bootEpoch ?? draft.bootEpoch) + 1);", ""],
    ["step: silence ends the attempt", "if (draft.nowMs - heardMs >= draft.policy.times.agentSilenceMs)", "if (draft.nowMs < 0)"],
    ["step: the time limit", "if (deadline <= draft.nowMs) return lost(", "if (deadline < 0) return lost("],
    ["step: the journal of earlier attempts", "journal: [...journal], deadline", "journal: [], deadline"],
    ["step: a journal that was not read", "if (!journalRead(draft, row)) {", "if (row.attempt < 0) {"],
    ["step: a step that erases forbids power", "draft.erasing = declared.erases || draft.eraseLeft;", "draft.erasing = draft.eraseLeft;"],
  ]),
  ...of("unit", "server/controller/start-controller.ts", "server/controller/start-controller.test.ts", [
    ["start: no order of clean steps that is an accident", "if (ties.length > 0) throw", "if (ties.length > 99) throw"],
  ]),
  ...of("unit", "server/domain/sanitization/judge.ts", "server/domain/sanitization/judge.test.ts", [
    ["judge: a device that was not found is missing", "...expected.filter((device) => gone.has(deviceKey(device)))];", "];"],
  ]),
  ...of("unit", "server/controller/controller-step.ts", "server/controller/controller-step.test.ts", [
    ["controller step: one that erases forbids power", "draft.erasing = declared.erases || draft.eraseLeft;", "draft.erasing = draft.eraseLeft;"],
    ["controller step: an erase whose end nobody saw still forbids power", "if (mayRun) draft.erasing = true;", ""],
    ["controller step: its result is judged", "if (!verdict.ok) return", "if (verdict === null) return"],
    ["controller step: an answer about an earlier attempt", " && isOfAttempt(effect, row.id, row.attempt)) {", ") {"],
    ["controller step: the time limit", "if (limitMs <= draft.nowMs) return give(", "if (limitMs < 0) return give("],
    ["controller step: the restart has an agent of its own", "draft.context.minEpoch = Math.max(draft.context.minEpoch, restartEpoch);", ""],
    ["controller step: no look before the restart is over", "if (!usableAgent(draft)) return bootFor(", "if (draft.nowMs < 0) return bootFor("],
    ["controller step: no restarts for ever", "if (job.restarts >= draft.policy.times.maxBoots) return", "if (job.restarts > 99) return"],
    ["controller step: no more attempts than policy allows", "if (row.attempt >= row.maxAttempts) return give(", "if (row.attempt > 99) return give("],
    ["controller step: a restart before the inventory after an erase", "if (declared.erases) draft.context.proven.lastStepEpoch = draft.bootEpoch;", ""],
  ]),
  ...of("unit", "server/domain/sanitization/judge.ts", "server/controller/controller-step.test.ts", [
    ["judge: a status alone counts for a BMC's own technique only", 'if (by === "bmc" && isOfBmc(technique) && read.kind', 'if (by === "bmc" && read.kind'],
  ]),
  ...of("unit", "server/domain/sanitization/judge.ts", "server/domain/sanitization/judge.test.ts", [
    ["judge: a status alone never counts from an agent", 'if (by === "bmc" && isOfBmc(technique) && read.kind', 'if (isOfBmc(technique) && read.kind'],
  ]),
  ...of("unit", "server/controller/handlers/assigned.ts", "server/controller/handlers/assigned.test.ts", [
    ["release: of the present instance only", "if ((draft.instance?.releaseRequestedMs ?? null) === null) {", "if (release === null && (draft.instance?.releaseRequestedMs ?? null) === null) {"],
    ["release: an agent of after the release", "proven: emptyProven(), minEpoch: draft.bootEpoch + 1 };", "proven: emptyProven() };"],
    ["release: the network is back before the instance ends", 'const waiting = ensureNetwork(draft, "admin");\n  if (waiting !== null) return waiting;', 'ensureNetwork(draft, "admin");'],
  ]),
  ...of("unit", "server/controller/release.ts", "server/controller/handlers/assigned.test.ts", [
    ["release: the debt", "draft.newDebt = { driveSerials: [...serials], instanceId: instance.id, tenantId: instance.tenantId };", ""],
    ["release: quarantine is acknowledged before the instance ends", "if (waiting !== null) return waiting.kind", "if (waiting === undefined) return waiting.kind"],
  ]),
  ...of("unit", "server/controller/handlers/failed.ts", "server/controller/handlers/failed.test.ts", [
    ["failed: retry after a missing drive needs a new boot", ' || draft.failedCause === "DeviceMissing") draft.context.minEpoch', ") draft.context.minEpoch"],
    ["failed: retry after failed tests takes a new inventory", 'if (topLevel(failedIn) === "Validation") return "BomValidating/BootingAgent";', 'if (topLevel(failedIn) === "Validation") return "Validation/RebootHost";'],
    ["failed: retry after failed tests needs a new boot", 'if (target === "BomValidating/BootingAgent" || draft', "if (draft"],
    ["failed: a host on another network goes back first", 'if (draft.instance !== null || !onAdminNetwork(draft)) return "Assigned/BootingWithDiscoveryImage";', ""],
  ]),
  ...of("unit", "server/controller/handlers/provider.ts", "server/controller/handlers/provider.test.ts", [
    ["provider: the BMC is of the enrolled serial", "if (found.system.serial !== serial) return back(", "if (found.system.serial === undefined) return back("],
    ["provider: the BMC is of the enrolled system", "if (found.system.uuid.toLowerCase() !== systemUuid.toLowerCase()) return back(", "if (found.system.uuid === undefined) return back("],
    ["provider: an erase outlives its host", "draft.eraseLeftUntilMs = draft.eraseAfterDeletionUntilMs;", ""],
    ["provider: a claimed host is not managed away", "if (draft.instance !== null) {", "if (draft.instance === undefined) {"],
  ]),
  ...of("unit", "server/controller/handlers/validation.ts", "server/controller/handlers/validation.test.ts", [
    ["tests: a failed one stops the host", 'if (failed.length > 0) return fail("MachineValidation"', 'if (failed.length > 99) return fail("MachineValidation"'],
    ["tests: one that did not run stops the host", 'if (skipped.length > 0) return fail("MachineValidation"', 'if (skipped.length > 99) return fail("MachineValidation"'],
    ["tests: those that were left out", ", ...draft.policy.validationTests.filter((test) => !ran.has(test))];", "];"],
    ["tests: a report of another command", " && report.command === commandId) {", ") {"],
  ]),
  ...of("unit", "server/controller/handlers/bom-validating.ts", "server/controller/handlers/bom-validating.test.ts", [
    ["inventory: one from before does not count", "&& found.bootEpoch === draft.bootEpoch && found.collectedMs > draft.enteredMs) {", ") {"],
    ["inventory: the SKU", "if (differences.length > 0) {", "if (differences.length > 99) {"],
  ]),
  ...of("unit", "server/controller/decide.ts", "server/controller/handlers/provider.test.ts", [
    ["decide: one reclamation per decision", "(draft.outcome !== null && draft.leaveRest())", "(draft.outcome === undefined)"],
  ]),
  ...of("unit", "server/controller/commit-rows.ts", "server/controller/commit-rows.test.ts", [
    ["fence: a claim that came while Ready was left", "(leavesReady && run.instanceId === null) || maintenance_set", "maintenance_set"],
    ["fence: maintenance that a person set meanwhile", "(leavesReady && run.instanceId === null) || maintenance_set", "leavesReady && run.instanceId === null"],
  ]),
  ...of("unit", "server/controller/effect-outcome.ts", "server/controller/effect-outcome.test.ts", [
    ["effects: one of an earlier claim is not pending", 'return effect.generation === generation ? { kind: "pending" } : { kind: "neverSent" };', 'return { kind: "pending" };'],
    ["effects: one permitted earlier is unknown", 'case "permitted":\n      if (effect.generation === generation) return { kind: "pending" };', 'case "permitted":\n      if (effect.generation !== null) return { kind: "neverSent" };'],
  ]),
  ...of("unit", "server/domain/lifecycle/intents.ts", "server/domain/lifecycle/intents.test.ts", [
    ["intents: manage with an instance on the host", 'from Enroll, Ready or Failed it can`;\n    return facts.instanceOpen ? "an instance is still on the host" : null;', "from Enroll, Ready or Failed it can`;\n    return null;"],
    ["intents: cleaning by hand with an instance on the host", 'can be cleaned by hand; this one is in ${facts.state}`;\n    return facts.instanceOpen ? "an instance is still on the host" : null;', "can be cleaned by hand; this one is in ${facts.state}`;\n    return null;"],
    ["intents: a host kept out of allocation", 'return facts.allocatable ? null : "the host is Ready but kept out of allocation";', "return null;"],
    ["intents: no retry past a gate", 'if (facts.state === "Failed/GateUnsatisfied") return', 'if (facts.state === "Enroll") return'],
  ]),
  ...of("unit", "server/domain/access/access.ts", "server/domain/access/access.test.ts", [
    ["ownership: another tenant's", "asker.tenantId !== null && asker.tenantId === target.tenantId;", "asker.tenantId !== null;"],
    ["access: a role that may not", 'case "none":\n      return "forbidden";', 'case "none":\n      return "allowed";'],
  ]),
];

const fence = "server/controller/fence.itest.ts";
const agentCalls = "server/surfaces/machine/agent/agent.itest.ts";
const migration = "prisma/migrations/20261121000000_first/migration.sql";
const database = [
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
    ["permit: no power for a step of the controller that did not ask for it", "coalesce((r.context #>> '{cleaning,job,restartEpoch}')::int <= i.boot_epoch, t.step IN ('power_on', 'power_off'))", "true"],
    ["permit: no power for a step of the agent, whatever another step asked for", "AND NOT (t.\"where\" = 'controller' AND coalesce", "AND NOT (coalesce"],
    ["permit: no second restart for an agent that has registered", "AND NOT EXISTS (SELECT 1 FROM agent_session g WHERE g.host_id = r.host_id AND g.boot_epoch = i.boot_epoch)", ""],
    ["permit: the lease is prolonged", "greatest(r.lease_until, clock_timestamp() + i.hold_ms * interval '1 millisecond')", "greatest(r.lease_until, clock_timestamp() + 0 * i.hold_ms * interval '1 millisecond')"],
  ]),
  ...of("integration", "server/controller/permit-desk.ts", "server/controller/permit-desk.itest.ts", [
    ["permit: each host by its own answer", "answer(permitted.has(question.effectId))", "answer(permitted.size > 0 || permitted.has(question.effectId))"],
    ["permit: one question per host and statement", "if (batch.has(item.question.hostId)) later.push(item);\n      else", ""],
  ]),
  ...of("integration", "server/db/hot/claim.ts", "server/db/hot/claim-race.itest.ts", [
    ["claim: signals and wake sequence of one snapshot", "'wakeSeq', r.seen_wake_seq::text", "'wakeSeq', r.wake_seq::text"],
    ["claim: evidence and its sequence of one snapshot", "'evidenceSeq', r.seen_evidence_seq::text", "'evidenceSeq', r.evidence_seq::text"],
    ["claim: of the generation that was seen", " AND seen.generation = due.generation\n", "\n"],
  ]),
  ...of("integration", "server/db/hot/claim.ts", fence, [
    ["claim: not what another controller has leased", "WHERE due_at <= now() AND (lease_owner IS NULL OR lease_until < now())\n", "WHERE due_at <= now()\n"],
  ]),
  ...of("integration", migration, fence, [
    ["database: ready_is_proven", "CREATE TRIGGER \"ready_is_proven\" AFTER UPDATE OF \"state\" ON \"host_run\"\n  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION \"ready_is_proven\"();", ""],
    ["database: a Ready host owes nothing", "d.chassis_serial = h.serial WHERE h.id = NEW.host_id AND d.cleared_at IS NULL)", "d.chassis_serial = h.serial WHERE false)"],
    ["database: a debt is never deleted", 'CREATE TRIGGER "debt_stands" BEFORE DELETE ON "debt" FOR EACH ROW EXECUTE FUNCTION "debt_stands"();', ""],
  ]),
  ...of("integration", "server/db/hot/agent-register.ts", agentCalls, [
    ["boot token: used once", "WHEN s.last_seen_at > s.registered_at THEN 'used'", ""],
    ["boot token: of the newest boot, and in time", "WHEN NOT w.open THEN 'expired'", ""],
    ["boot token: of the host's own identity", "WHEN w.system_uuid <> $3::uuid OR w.serial <> $4::text THEN 'conflict'", "WHEN $3::uuid IS NULL OR $4::text IS NULL THEN 'conflict'"],
    ["boot token: one identity in one window", "WHEN s.identity <> $5::jsonb THEN 'conflict'", ""],
  ], "^register"),
  ...of("integration", "server/db/hot/agent-session.ts", agentCalls, [
    ["session: not over", "FROM agent_session WHERE token_hash = $1 AND expires_at > now())`;", "FROM agent_session WHERE token_hash = $1)`;"],
  ], "refuses a session that is over"),
  ...of("integration", "server/db/hot/agent-report.ts", agentCalls, [
    ["report: of this host", "ON x.id = $2::uuid AND x.host_id = s.host_id", "ON x.id = $2::uuid"],
    ["report: of this boot", " AND a.boot_epoch = s.boot_epoch)`;", ")`;"],
    ["report: of a step that runs", "(x.status = 'running' AND a.verdict IS NULL OR r.state = 'Failed/AgentLost' AND a.verdict = 'lost') AS open", "true AS open"],
  ], "reports that change nothing|an agent that was lost"),
  ...of("integration", "server/db/hot/agent-answer.ts", agentCalls, [
    ["answer: to the command that was given", "AND r.command->>'id' = $2::text AND", "AND $2::text IS NOT NULL AND"],
  ], "are refused when they were not"),
  ...of("integration", "server/db/hot/network-acknowledgement.ts", "server/surfaces/machine/network/network.itest.ts", [
    ["acknowledgement: of the wanted version", "(r.wanted->>'version')::int IS DISTINCT FROM $4::int OR ", "$4::int IS NULL OR "],
    ["acknowledgement: of the wanted configuration", "WHEN r.sha256 <> $5::text THEN 'stale'", ""],
    ["acknowledgement: of a host of the site", " AND r.site_id = a.site_id FOR UPDATE OF r", " FOR UPDATE OF r"],
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
    ["manual cleaning: every fault before anything runs", "if (faults !== null) return { ok: false, problem: faults };", ""],
  ], "cleaning by hand"),
  ...of("integration", "server/usecases/cleaning/save-override.ts", "server/usecases/cleaning/acts.itest.ts", [
    ["override: no tie", "if (ties.length > 0) return tieRefusal(ties);", ""],
  ], "an override"),
];

const bmcSteps = "server/simulator/bmc/steps.test.ts";
const raidSteps = "server/simulator/bmc/raid-steps.test.ts";
const hardware = [
  ...of("unit", "server/hardware/redfish/steps/lockdown.ts", bmcSteps, [
    ["bmc: nobody else's lock is opened", "wanted === \"off\" && talk.step.known.baseline?.lockdown !== true", "false"],
    ["bmc: a lock that does not come on", "if (!back.ok)", "if (false)"],
  ], "lockdown"),
  ...of("unit", "server/hardware/redfish/steps/baseline.ts", bmcSteps, [
    ["bmc: an account that stays after its removal", "back.ok ? done(`removed ${list(found)}`)", "true ? done(`removed ${list(found)}`)"],
    ["bmc: our own account stays", " && body.UserName !== talk.call.target.username", ""],
  ], "verify_bmc_baseline"),
  ...of("unit", "server/hardware/redfish/steps/bios.ts", bmcSteps, [
    ["bmc: BIOS settings are read back after the restart", "if (other.length === 0) return done(`in force after", "if (true) return done(`in force after"],
  ], "BIOS settings"),
  ...of("unit", "server/hardware/redfish/dell/boss.ts", raidSteps, [
    ["bmc: an erase whose job is gone is none", 'if (reading.phase === "gone") return failed', 'if (false) return failed'],
    ["bmc: an erase that runs is joined", "if (running !== null) return { kind: \"running\", handle: running, percent: null, message: `${unit.path} has a job already` };\n    const offered", "const offered"],
  ]),
  ...of("unit", "server/hardware/redfish/steps/erase-drives.ts", raidSteps, [
    ["bmc: a drive that is being erased is left alone", "if (running != null) throw", "if (false) throw"],
    ["bmc: a failed erase of one drive", "return bad.length > 0 ? failed", "return false ? failed"],
  ]),
];

/** @type {readonly Mutant[]} */
export const mutants = [...agent, ...judging, ...gates, ...admission, ...handlers, ...hardware, ...database];
