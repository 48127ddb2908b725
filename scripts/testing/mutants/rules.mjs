// Safety checks of the judge and the gates: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

export const judging = [
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
    ["devices: what the BMC knows and nobody sees", "if (known === undefined && !hidden) missing.push(", "if (known === null) missing.push("],
    ["devices: only what a controller hides is the BMC's alone", "const hidden = known === undefined && outOfBand.includes(device.serial);", "const hidden = known === undefined;"],
    ["devices: a hidden drive that the agent sees is the agent's", "const hidden = known === undefined && outOfBand.includes(device.serial);\n    const alone", "const hidden = outOfBand.includes(device.serial);\n    if (known !== undefined && hidden) Object.assign(known, { outOfBand: true });\n    const alone"],
    ["devices: what an earlier reading of the BMC listed", "missing.push({ serial: device.serial, model: device.model, knownBy: earlierReading });", ""],
    ["devices: two drives with one serial number", "if (all.length < 2 || sameDrive) return [];", "if (all.length >= 1) return [];"],
    ["devices: what the BMC cannot name is handed on", "...(more.unresolved ?? []), ", ""],
    ["devices: what a debt names", "if (!serials.has(serial)) missing.push(", "if (serial === undefined) missing.push("],
    ["devices: the set found equals the set treated", "if (gone.length === 0 && fresh.length === 0) return null;", "return null;"],
    ["devices: a new drive after cleaning", "const fresh = found.filter((d) => !treatedKeys.has(deviceKey(d))).map((d) => d.serial);", "const fresh: string[] = [];"],
  ]),
  ...of("unit", "server/domain/sanitization/media-rules.ts", "server/domain/sanitization/known-devices.test.ts", [
    ["devices: removable and USB media are expected unless a rule says otherwise", "return rule === undefined ? null :", "return rule === undefined ? \"removable\" :"],
    ["devices: a rule excludes removable and USB media only", "if (!device.removable && device.transport !== \"usb\") return null;", ""],
  ]),
  ...of("unit", "server/domain/sanitization/dispositions.ts", "server/domain/sanitization/dispositions.test.ts", [
    ["dispositions: what an inventory lists is there", 'readings.some(({ storage }) => storage.some((device) => device.serial === serial)) ? "an inventory still lists it" : null', "null"],
    ["dispositions: a misread slot is read again", "takenMs > Date.parse(at) && ", ""],
  ]),
  ...of("unit", "server/domain/cleaning/steps/devices.ts", "server/domain/cleaning/plan.test.ts", [
    ["devices: no agent treats what only the BMC reaches", "device.outOfBand !== true;", "true;"],
  ]),
  ...of("unit", "server/domain/inventory/inventory.ts", "server/domain/sanitization/judge.test.ts", [
    ["devices: the model is part of the identity", "return `${device.serial}\\u0000${device.model}`;", "return device.serial;"],
  ]),
];

export const gates = [
  ...of("unit", "server/domain/gates/gate-names.ts", "server/domain/gates/evaluate.test.ts", [
    ["gates: not implemented passes on a demo site only", "return demo;", "return true;"],
    ["gates: unsatisfied does not pass", 'case "unsatisfied":\n      return false;', 'case "unsatisfied":\n      return true;'],
  ]),
  ...of("unit", "server/domain/sanitization/judge.ts", "server/domain/sanitization/judge.test.ts", [
    ["judge: what is on the drive now must be told", "if (fingerprinted && !tellsContent(report)) return verdict(", "if (false) return verdict("],
  ]),
  ...of("unit", "server/domain/sanitization/content.ts", "server/controller/handlers/validation.test.ts", [
    ["content: places are compared", "known.places[place] !== found.places[place]", "false"],
    ["content: a drive that was not read again is not unchanged", "if (reading === undefined || found.length !== 1) return [", "if (reading === undefined) return []; if (found.length !== 1) return ["],
    ["content: one that could not be read is not unchanged", 'if ("problem" in reading) return [`drive ${known.serial} could not be read again: ${reading.problem}`];', 'if ("problem" in reading) return [];'],
  ]),
  ...of("unit", "server/domain/gates/content.ts", "server/domain/gates/evaluate.test.ts", [
    ["gates: content is read in the final boot", "content.readEpoch !== null && content.readEpoch === bootEpoch ? null", "content.readEpoch !== null ? null"],
    ["gates: content of every drive", "if (unknown !== undefined) return", "if (unknown === null) return"],
    ["gates: no content is no proof", 'if (content === null) return "what the drives held after their erase was not recorded; restart the plan";', "if (content === null) return null;"],
  ]),
  ...of("unit", "server/domain/cleaning/plan.ts", "server/domain/cleaning/plan.test.ts", [
    ["plan: nothing writes to a drive that is erased", "if (!late.step.writes) return [];", "return [];"],
  ]),
  ...of("unit", "server/domain/gates/evaluate.ts", "server/domain/gates/evaluate.test.ts", [
    ["recheck: a drive that only the BMC reaches is not compared", "if (hidden !== undefined) return unsatisfied(", "if (hidden === null) return unsatisfied("],
    ["gates: an open instance", 'if (input.instanceOpen) return unsatisfied("an instance is on the host");', ""],
    ["gates: held network resources", "if (input.resourcesHeld > 0) return unsatisfied(", "if (input.resourcesHeld < 0) return unsatisfied("],
    ["gates: the admin network", "return state.done ? satisfied(", "return state.done !== undefined ? satisfied("],
    ["gates: the tenant's network is gone when the network says so", "return left.done ? satisfied(", "return left.done !== undefined ? satisfied("],
    ["gates: an answer for a drive that was withdrawn", "if (withdrawn !== undefined) return unsatisfied(", "if (withdrawn === null) return unsatisfied("],
    ["gates: extension services are acknowledged as gone", 'return running.length === 0 && acknowledged(input.network, "admin").done ?', "return running.length === 0 ?"],
    ["gates: no debt is left out with the cleaning", "(input.debts === 0 ? notRequired", "(input.debts >= 0 ? notRequired"],
    ["gates: no debt is left out with a disabled step", "return input.debts === 0 ? { ...notRequired(named(steps)), evidence }", "return input.debts >= 0 ? { ...notRequired(named(steps)), evidence }"],
    ["gates: a drive that failed is not left out with its step", "verdicts.has(deviceKey(device)) || !untreated", "!untreated"],
    ["gates: only a disabled step's own drives are left out", " || !untreated.has(deviceKey(device)));", ");"],
    ["gates: a disabled erase that names no drive", "row.devices.length === 0 || row.devices.some", "row.devices.some"],
    ["gates: a disabled step for the platform", "return left.length > 0 && input.debts > 0 ? disabled(input, left)", "return left.length > 99 ? disabled(input, left)"],
    ["gates: a plan was made", "if (!input.planMade || input.plan.length === 0) return", "if (input.plan === null) return"],
    ["gates: storage that nobody can name blocks until a person decides", "if (first !== undefined) {", "if (first === null) {"],
    ["gates: an empty list of drives proves nothing", "if (input.skuHasStorage) return unsatisfied(", "if (input.skuHasStorage === null) return unsatisfied("],
    ["gates: every drive is sanitized", 'verdicts.get(deviceKey(device))?.verdict !== "sanitized");', "verdicts.get(deviceKey(device)) === null);"],
    ["gates: an inventory after cleaning", 'if (input.proven.sku === null) return unsatisfied("no inventory was taken after cleaning", evidence);', ""],
    ["gates: the drives after cleaning", "if (storage !== null && storage !== undefined) return unsatisfied(`storage after", "if (storage === 0) return unsatisfied(`storage after"],
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
    ["Ready: every gate passes", 'if (unproven.length > 0) return fail("GateUnsatisfied"', 'if (unproven.length > 99) return fail("GateUnsatisfied"'],
    ["Ready: a debt needs its gates", "if (owed.length > 0) return fail(", "if (owed.length > 99) return fail("],
    ["Ready: no retired host", "if (retired) return retire(draft);", ""],
    ["Ready: the evidence has not moved", "draft.expectEvidenceSeq = draft.view.run.evidenceSeq;", ""],
    ["Ready: maintenance waits", "if (!draft.maintenance) return goto(", "if (draft.state) return goto("],
  ]),
];
