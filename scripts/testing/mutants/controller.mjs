// Safety checks of decisions: handlers, plan, steps, interruptions: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

export const handlers = [
  ...of("unit", "server/domain/cleaning/plan.ts", "server/domain/cleaning/plan.test.ts", [
    ["plan: no order that is an accident", "if (ties.length > 0) return", "if (ties.length > 99) return"],
    ["plan: storage rests on every erase", "return step.erases ?", "return step === null ?"],
  ]),
  ...of("unit", "server/controller/handlers/cleanup.ts", "server/controller/handlers/cleanup.test.ts", [
    ["plan: the host's own setting", "if (own ?? draft.policy.automatedClean) return null;", "if (draft.policy.automatedClean) return null;"],
    ["plan: the priorities that people set", "if (draft.view.overrides === null) return wait(", "if (draft.view.overrides === undefined) return wait("],
    ["plan: a missing drive stops the host", "if (devices.missing.length > 0) {", "if (devices.missing.length > 99) {"],
    ["plan: a debt is cleaned although cleaning is off", "if (draft.debts === 0 && ", "if (draft.debts >= 0 && "],
    ["plan: the admin network first", "if (network !== null) return network;", ""],
    ["plan: the agent's report is of this boot", " || agent.bootEpoch !== draft.bootEpoch) {", ") {"],
    ["plan: the BMC's drives are read again", "if (reading !== null) return reading;", ""],
    ["plan: a restart after the last step", "draft.context.minEpoch = Math.max(draft.context.minEpoch, (draft.context.proven.lastStepEpoch ?? 0) + 1);", ""],
  ]),
  ...of("unit", "server/controller/boot.ts", "server/controller/boot.test.ts", [
    ["boot: no restart into an erase", "if (erases !== null) return erases;", ""],
    ["boot: an unknown restart is looked up", "          return lookUp(draft);", "          return orderAgain(draft);"],
    ["boot: a host that is off does not boot", 'if (power === "off" || before === null', "if (before === null"],
    ["boot: only a mark that moved on proves a restart", " || !resetMarkMoved(before, resetMark)) return", ") return"],
    ["boot: a restart without proof is none", "if (!told.success) return notConfirmed(", "if (told === null) return notConfirmed("],
    ["boot: a boot that is contested is given up", "boot.contested === true ||", ""],
    ["boot: restarts that cannot be confirmed end", "if (boot.unconfirmed > maxUnconfirmed) return fail(", "if (boot.unconfirmed > 99) return fail("],
    ["boot: a second identity", "if (conflict !== null && conflict.bootEpoch === draft.bootEpoch) {", "if (conflict === undefined) {"],
    ["boot: an agent of a boot that proves nothing", "if (!agent.afterReset || agent.contested) return false;", ""],
    ["void: a boot without an agent", 'voidErase(draft, "bootWithoutAgent"', 'if (draft === null) voidErase(draft, "bootWithoutAgent"'],
    ["void: a restart that nobody had ordered", 'if (told === "later") voidErase(', 'if (told !== told) voidErase('],
    ["void: a clock that was set back may hide a restart", 'if (told === "unknown") {', 'if (told !== told) {'],
    ["void: marks that went back prove no restart", " && draft.context.cleaning.marksUnreliable === undefined ? {} :", " ? {} :"],
    ["boot: no more restarts than policy allows", "if (boot.attempt >= times.maxBoots) return fail", "if (boot.attempt > 99) return fail"],
  ]),
  ...of("unit", "server/controller/boot.ts", "server/controller/handlers/cleanup.test.ts", [
    ["boot: an agent of an earlier boot", " || agent.bootEpoch < draft.context.minEpoch) return false;", ") return false;"],
    ["boot: an agent that is silent", "return draft.nowMs <= heardUntilMs(agent.lastSeenMs, draft.policy.times.agentFreshMs);", "return true;"],
  ]),
  ...of("unit", "server/controller/voided.ts", "server/controller/boot.test.ts", [
    ["void: the plan begins again", 'return goto("WaitingForCleanup/Init", `every erase is repeated: ${voided.message}`);', "return null;"],
    ["void: a boot that nobody had ordered", 'voidErase(draft, "unorderedBoot", asked.message);', "void asked;"],
    ["void: an agent that was not alone", "if (!agent.contested) {", "if (draft !== null) {"],
    ["void: the plan is made anew", "planEpoch: reclamation.planEpoch + 1, ", ""],
    ["void: not for ever", "if (voids > maxVoided) return fail(", "if (voids > 99) return fail("],
  ]),
  ...of("unit", "server/controller/power.ts", "server/controller/power.test.ts", [
    ["void: a person's power", 'voidErase(draft, "personPower"', 'if (draft === null) voidErase(draft, "personPower"'],
    ["held: a person's power boots from the network", "...(isHeld(draft) ? { network: true } : {})", ""],
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
    ["abort: the estimate of an erase is waited for", "return eraseWait(draft, `aborted by ${abort.by.name}`) ?? aborted(draft);", "return aborted(draft);"],
    ["abort: an agent that did not report is not used again", 'if (running.where === "agent") draft.context.minEpoch', 'if (running.where === "controller") draft.context.minEpoch'],
  ]),
  ...of("unit", "server/controller/reserved-step.ts", "server/controller/interruptions.test.ts", [
    ["reserved: no power action falls into an erase", "if (waiting !== null) return step(waiting);", ""],
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
    ["step: silence ends the attempt", "if (draft.nowMs >= silentAtMs(draft, row)) {", "if (draft.nowMs < 0) {"],
    ["step: the time limit", "if (deadline <= draft.nowMs) return lost(", "if (deadline < 0) return lost("],
    ["step: the journal of earlier attempts", "journal: [...journal], deadline", "journal: [], deadline"],
    ["step: a journal that was not read", "if (!journalRead(draft, row)) {", "if (row.attempt < 0) {"],
    ["step: a step that erases forbids power", "draft.erasing = declared.erases || draft.eraseLeft;", "draft.erasing = draft.eraseLeft;"],
  ]),
  ...of("unit", "server/main.ts", "server/start-up.test.ts", [
    ["start: every process looks at its catalogue", "  refuseTies();\n", ""],
  ]),
  ...of("unit", "server/controller/start-controller.ts", "server/start-up.test.ts", [
    ["start: no order of clean steps that is an accident", "if (ties.length > 0) throw", "if (ties.length > 99) throw"],
  ]),
  ...of("unit", "server/domain/sanitization/judge.ts", "server/domain/sanitization/judge.test.ts", [
    ["judge: a device that was not found is missing", "...expected.filter((device) => gone.has(deviceKey(device)))];", "];"],
  ]),
  ...of("unit", "server/controller/controller-step.ts", "server/controller/controller-step.test.ts", [
    ["controller step: one that erases forbids power", "draft.erasing = declared.erases || draft.eraseLeft;", "draft.erasing = draft.eraseLeft;"],
    ["controller step: an erase whose end nobody saw still forbids power", "mayErase || (draft.erasing && (cause === \"StepTimeout\" || cause === \"BmcUnreachable\"))", "mayErase"],
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
    ["failed: retry after a missing drive needs a new boot", ' || draft.failedCause === "DeviceMissing" || draft.failedCause === "ContentChanged") draft.context.minEpoch', ") draft.context.minEpoch"],
    ["failed: retry after failed tests takes a new inventory", 'if (topLevel(failedIn) === "Validation") return "BomValidating/BootingAgent";', 'if (topLevel(failedIn) === "Validation") return "Validation/RebootHost";'],
    ["failed: retry after failed tests needs a new boot", 'if (target === "BomValidating/BootingAgent" || draft', "if (draft"],
    ["failed: a host on another network goes back first", 'if (draft.instance !== null || !onAdminNetwork(draft)) return "Assigned/BootingWithDiscoveryImage";', ""],
  ]),
  ...of("unit", "server/domain/hosts/reset-mark.ts", "server/domain/hosts/reset-mark.test.ts", [
    ["boot: a mark that jitters proves no restart", "const toleranceMs = 5_000;", "const toleranceMs = 0;"],
    ["boot: a mark that is no time proves no restart", 'return movedMs > 0 ? "later" : "unknown";', 'return movedMs > 0 || Number.isNaN(movedMs) ? "later" : "unknown";'],
    ["void: a mark that went back is not as it was", 'if (Math.abs(movedMs) <= toleranceMs) return "same";', 'if (movedMs <= toleranceMs) return "same";'],
  ]),
  ...of("unit", "server/controller/handlers/provider.ts", "server/controller/handlers/provider.test.ts", [
    ["provider: what was just learned is seen before anything begins", 'if (draft.host !== null) return wait("waits for provide or clean", ', 'if (draft.host === undefined) return wait("waits for provide or clean", '],
    ["provider: the erase of a learned chassis", "draft.erasing = true;", ""],
    ["provider: no reading whose identity nobody looked up", 'if (draft.view.run.state !== "Verifying") return wait(', 'if (draft.view.run.state === "Ready") return wait('],
    ["provider: an erase outlives its host", "draft.eraseLeftUntilMs = draft.eraseAfterDeletionUntilMs;", ""],
    ["recheck: a host that was touched is checked again", 'return draft.touched && !draft.fake ? recheck(draft) : wait("may be allocated", null);', 'return wait("may be allocated", null);'],
    ["recheck: without a known content it is cleaned", "known.content === null || known.content.drives.length === 0) return goto(", "known.content === null) return goto("],
    ["recheck: a host whose drives cannot all be compared is cleaned", "if (hidden !== undefined) return goto(", "if (hidden === null) return goto("],
    ["recheck: a host that owes is cleaned", "if (draft.debts > 0) return goto(", "if (draft.debts < 0) return goto("],
    ["provider: a claimed host is not managed away", "if (draft.instance !== null) {", "if (draft.instance === undefined) {"],
  ]),
  ...of("unit", "server/controller/handlers/return-to-allocation.ts", "server/controller/handlers/return-to-allocation.test.ts", [
    ["recheck: a clean host that was touched is read again", "if (draft.touched && !draft.maintenance && !draft.fake) return readAgain(draft);", ""],
    ["recheck: drives that cannot be compared are erased again", "if (hidden === undefined) return readmit(", "if (hidden !== null) return readmit("],
  ]),
  ...of("unit", "server/controller/decide.ts", "server/controller/handlers/provider.test.ts", [
    ["recheck: a host that was touched is not allocatable", "draft.allocatable && !draft.maintenance && !draft.touched,", "draft.allocatable && !draft.maintenance,"],
  ]),
  ...of("unit", "server/controller/handlers/identity.ts", "server/controller/handlers/provider.test.ts", [
    ["identity: the BMC is of the enrolled serial", "if (host.serial !== null && serial !== host.serial) return refused(", "if (host.serial === undefined) return refused("],
    ["identity: the BMC is of the enrolled system", "if (host.systemUuid !== null && systemUuid !== host.systemUuid.toLowerCase()) return refused(", "if (host.systemUuid === undefined) return refused("],
    ["identity: no serial of another host", "if (told.serialOf !== null) return refused(", "if (told.serialOf === undefined) return refused("],
    ["identity: no system of another host", "if (told.systemUuidOf !== null) return refused(", "if (told.systemUuidOf === undefined) return refused("],
    ["identity: something must acknowledge a network", "if (networkInterfaces.length === 0) return refused(", "if (networkInterfaces.length > 99) return refused("],
  ]),
  ...of("unit", "server/controller/handlers/validation.ts", "server/controller/handlers/validation.test.ts", [
    ["content: a drive that was written to stops the host", 'if (changed !== null) return fail("ContentChanged", changed);', ""],
    ["content: no agent is asked that cannot read it", 'if (old !== null) return fail("AgentVersionMismatch", old);', ""],
    ["tests: a failed one stops the host", 'if (failed.length > 0) return fail("MachineValidation"', 'if (failed.length > 99) return fail("MachineValidation"'],
    ["tests: one that did not run stops the host", 'if (skipped.length > 0) return fail("MachineValidation"', 'if (skipped.length > 99) return fail("MachineValidation"'],
    ["tests: those that were left out", ", ...draft.policy.validationTests.filter((test) => !ran.has(test))];", "];"],
    ["tests: a report of another command", " && report.command === commandId) {", ") {"],
  ]),
  ...of("unit", "server/controller/handlers/bom-validating.ts", "server/controller/handlers/bom-validating.test.ts", [
    ["inventory: one from before does not count", "&& found.bootEpoch === draft.bootEpoch && (found.collectedMs > draft.enteredMs || justRegistered(draft, found.collectedMs))) {", ") {"],
    ["inventory: a registration before the last step does not count", "draft.bootEpoch > (draft.context.proven.lastStepEpoch ?? 0)\n  && draft.steps", "draft.steps"],
    ["inventory: a registration before a step of the BMC ended does not count", "endedAtMs === null || endedAtMs < collectedMs", "endedAtMs === null || collectedMs > 0"],
    ["inventory: a registration of another boot does not count", " && signal.payload.bootEpoch === draft.bootEpoch);", ");"],
    ["inventory: what only the BMC reaches is read again", "if (reading !== null) return reading;", ""],
    ["inventory: no SKU is compared without the BMC's drives of this boot", "if (!draft.fake && draft.context.proven.outOfBand?.epoch !== draft.bootEpoch) return goto(", "if (draft.bootEpoch < 0) return goto("],
    ["inventory: a reading of an earlier boot does not count", "outOfBand?.epoch === draft.bootEpoch ? outOfBand.drives : []", "outOfBand?.drives ?? []"],
    ["inventory: the SKU", "if (differences.length > 0) {", "if (differences.length > 99) {"],
  ]),
  ...of("unit", "server/controller/network.ts", "server/controller/network.test.ts", [
    ["network: a controller that is none is not asked for ever", "if (definite && failures >= definiteAfter) {", "if (definite && failures >= 99_999) {"],
    ["network: a controller that stays silent", "if (untilMs === null || untilMs > draft.nowMs) return wait(reason, untilMs);", "if (untilMs !== -1) return wait(reason, untilMs);"],
  ]),
  ...of("unit", "server/controller/bmc-storage.ts", "server/controller/handlers/bom-validating.test.ts", [
    ["inventory: a BMC of another machine", "if (other !== null) return notRead(draft, of, \"refused\", other);", ""],
    ["inventory: a reading of another plan", "const outcome = effect === null || !isOf(effect, of) ? null :", "const outcome = effect === null ? null :"],
    ["inventory: drives that cannot be named after cleaning", "if (fresh.length > 0) draft.patchReclamation(", "if (fresh.length > 99) draft.patchReclamation("],
  ]),
  ...of("unit", "server/controller/bmc-storage.ts", "server/controller/handlers/cleanup.test.ts", [
    ["plan: what the BMC listed once is not gone because a reading lacks it", "[...before.earlier, ...before.storage].map(", "[...before.earlier].map("],
    ["plan: a failed reading never counts", "if (outcome?.kind === \"failed\") return notRead(", "if (outcome?.kind === \"failed\") return null; if (of === \"\") return notRead("],
  ]),
  ...of("unit", "server/controller/step-recovery.ts", "server/controller/step-recovery.test.ts", [
    ["recovery: no power action while an erase of an earlier reclamation runs", "if (draft.eraseLeft) {", "if (false) {"],
    ["recovery: the agent that goes off is not used again", "draft.context.minEpoch = Math.max(draft.context.minEpoch, draft.bootEpoch + 1);", ""],
    ["recovery: an answer about another step", " || ofStep.parse(effect.request).step !== step", ""],
    ["recovery: the BMC's pause", "if (untilMs > draft.nowMs) {", "if (false) {"],
  ]),
  ...of("unit", "server/controller/decide.ts", "server/controller/handlers/provider.test.ts", [
    ["decide: one reclamation per decision", "(draft.outcome !== null && draft.leaveRest())", "(draft.outcome === undefined)"],
  ]),
  ...of("unit", "server/controller/commit-rows.ts", "server/controller/commit-rows.test.ts", [
    ["fence: a claim that came while Ready was left", "(leavesReady && run.instanceId === null) || staysOut", "staysOut"],
    ["fence: a Ready host that a person let in meanwhile", "|| staysOut ||", "||"],
    ["fence: maintenance that a person set meanwhile", "|| maintenance_set", ""],
  ]),
  ...of("unit", "server/controller/effect-outcome.ts", "server/controller/effect-outcome.test.ts", [
    ["effects: one of an earlier claim is not pending", 'return effect.generation === generation ? { kind: "pending" } : { kind: "neverSent" };', 'return { kind: "pending" };'],
    ["effects: one permitted earlier is unknown", 'case "permitted":\n      if (effect.generation === generation) return { kind: "pending" };', 'case "permitted":\n      if (effect.generation !== null) return { kind: "neverSent" };'],
  ]),
  ...of("unit", "server/domain/lifecycle/intents.ts", "server/domain/lifecycle/intents.test.ts", [
    ["intents: manage with an instance on the host", 'from Enroll, Ready or Failed it can`;\n    return facts.instanceOpen ? "an instance is still on the host" : null;', "from Enroll, Ready or Failed it can`;\n    return null;"],
    ["intents: cleaning by hand with an instance on the host", 'can be cleaned by hand; this one is in ${facts.state}`;\n    return facts.instanceOpen ? "an instance is still on the host" : null;', "can be cleaned by hand; this one is in ${facts.state}`;\n    return null;"],
    ["intents: a host kept out of allocation", 'return facts.allocatable ? null : "the host is Ready but kept out of allocation";', "return null;"],
    ["intents: no power while an erase may run", "if (facts.erasing) return", 'if (facts.state === "Verifying") return'],
    ["intents: no power where the controller needs it", "if (!powered.has(facts.state) && !isFailed(facts.state)) return", 'if (facts.state === "Verifying") return'],
    ["intents: a retired host is not provided", 'return facts.retired ? "the host is retired', 'return facts.instanceOpen ? "the host is retired'],
    ["intents: no retry past a gate", 'if (facts.state === "Failed/GateUnsatisfied") return', 'if (facts.state === "Enroll") return'],
  ]),
  ...of("unit", "server/controller/power.ts", "server/controller/power.test.ts", [
    ["power: what may have been sent is looked up", "draft.context.power = { ...power, look: true };", ""],
    ["power: nothing else while it is under way", "  draft.leaveRest();\n", ""],
    ["power: no agent of before it", 'if (intent !== "powerOn") draft.context.minEpoch', 'if (intent === "powerOn") draft.context.minEpoch'],
  ]),
  ...of("unit", "server/domain/access/access.ts", "server/domain/access/access.test.ts", [
    ["ownership: another tenant's", "asker.tenantId !== null && asker.tenantId === target.tenantId;", "asker.tenantId !== null;"],
    ["access: a role that may not", 'case "none":\n      return "forbidden";', 'case "none":\n      return "allowed";'],
  ]),
];
