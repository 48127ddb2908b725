// Safety checks of hosts without a machine: that nothing real takes their way, and that nothing is claimed of them: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

const way = "server/controller/fake-host.test.ts";
const refusals = "server/usecases/hosts/fake-hosts.itest.ts";

export const fake = [
  ...of("unit", "server/domain/hosts/fake-hardware.ts", way, [
    ["fake: by its type alone, exactly", "host.hardwareType === fakeHardwareType;", "host.hardwareType.toLowerCase().trim().startsWith(fakeHardwareType);"],
    ["fake: no machine takes that way", "host.hardwareType === fakeHardwareType;", "host.hardwareType !== null;"],
  ]),
  ...of("unit", "server/controller/decide.ts", way, [
    ["fake: only a fake host has its handlers", "(draft.fake ? fakeHandlerOf(draft.state) : null)", "fakeHandlerOf(draft.state)"],
    ["fake: not worked on unless it is switched on", "if (draft.fake && fakeHardware !== true) return switchedOff(draft);", ""],
    ["fake: switching it off switches off nothing else", "if (draft.fake && fakeHardware !== true)", "if (fakeHardware !== true)"],
    ["fake: no network is asked to quarantine it", "draft.reclamation !== null && !draft.fake ?", "draft.reclamation !== null ?"],
  ]),
  ...of("unit", "server/controller/fake-host.ts", way, [
    ["fake: Ready ends where it is switched off", 'if (draft.state !== "Ready" || draft.instance !== null) return wait(fakeIsOff, null);', "return wait(fakeIsOff, null);"],
    ["fake: a release that is not cleaned is not Ready", 'if (reclamation.kind === "release" || reclamation.kind === "repairRelease") return notCleaned(draft, off);', ""],
  ]),
  ...of("unit", "server/controller/release.ts", way, [
    ["fake: every machine owes what its tenant left", "if (draft.fake) return;", "return;"],
  ]),
  ...of("unit", "server/controller/handlers/return-to-allocation.ts", way, [
    ["fake: it clears no debt", 'return status === "satisfied" || status === "excepted"', 'return status === "satisfied" || status === "not required: fake hardware" || status === "excepted"'],
  ]),
  ...of("unit", "server/controller/gates-of.ts", way, [
    ["fake: the gates of a machine are evaluated", "fake: draft.fake,", "fake: true,"],
  ]),
  ...of("unit", "server/domain/gates/gate-names.ts", "server/domain/gates/evaluate.test.ts", [
    ["gates: without a machine, for a fake host only", "return fake;", "return true;"],
  ]),
  ...of("unit", "server/domain/gates/evaluate.ts", "server/domain/gates/evaluate.test.ts", [
    ["gates: what needs no machine still holds a fake host back", 'return told?.status === "unsatisfied" ? told :', "return told === undefined ? told :"],
    ["gates: nothing is proven of a fake host", "const told = withoutMachine.has(gate) ? rules[gate](input) : null;\n  return told?.status === \"unsatisfied\" ? told :", "const told = rules[gate](input);\n  return told.status !== \"not implemented\" ? told :"],
  ]),
  ...of("unit", "server/domain/cleaning/steps/fake.ts", "server/domain/cleaning/steps/fake.test.ts", [
    ["fake: its steps prove nothing", "proves: [], erases: false", "erases: false"],
    ["fake: its steps treat no device", "devices: () => [], applies", "applies"],
    ["fake: a machine has its own catalogue", "(isFake(host) ? fakeCatalogue : hostCatalogue(offered))", "(isFake(host) || offered.length > 0 ? fakeCatalogue : hostCatalogue(offered))"],
    ["fake: a machine has its own steps", "if (!isFake(host)) return findCleanStep(", "if (host === null) return findCleanStep("],
  ]),
  ...of("unit", "server/hardware/registry.ts", "server/hardware/registry.test.ts", [
    ["fake: no adapter unless it is switched on", "...(fake ? [fakeHardware] : [])", "...[fakeHardware]"],
  ]),
  ...of("integration", "server/usecases/hosts/fake-hosts.ts", refusals, [
    ["fake: none is enrolled unless it is switched on", "(fakeHardware ? done(null) :", "(fakeHardware !== null ? done(null) :"],
  ]),
  ...of("integration", "server/usecases/hosts/enroll-hosts.ts", refusals, [
    ["fake: no machine is enrolled as one", "if (fake !== -1) return refused(", "if (fake === -2) return refused("],
  ]),
  ...of("integration", "prisma/migrations/20261121001200_fake_hardware/migration.sql", refusals, [
    ["database: the identity of a fake host is its own", "coalesce(\"serial\", 'fake-' || \"id\"::text) = 'fake-' || \"id\"::text AND coalesce(\"system_uuid\", \"id\") = \"id\"", "true"],
    ["database: no machine has a fake host's serial", "coalesce(\"serial\", '') NOT LIKE 'fake-%'", "true"],
    ["database: the type of a fake host stands", "OLD.hardware_type IS DISTINCT FROM NEW.hardware_type AND 'fake' IN", "OLD.hardware_type IS NULL AND 'fake' IN"],
    ["database: the gates of a fake host are no machine's", "WHERE h.id = NEW.host_id AND h.hardware_type = 'fake'", "WHERE h.id = NEW.host_id"],
    ["database: a fake host clears no debt", "WHEN (NEW.cleared_by IS NOT NULL)", "WHEN (false)"],
  ]),
];
