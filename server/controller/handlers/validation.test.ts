// Validation/…: the site's tests. A test that did not run has not passed.
import { describe, expect, it } from "vitest";
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import { emptyProven } from "@/server/domain/lifecycle/context";
import { plainPolicy } from "@/server/testing/test-policy";
import type { ValidationBody } from "@/server/domain/agents/protocol";
import {
  allProven,
  decideOn,
  effectKindsOf,
  hostView,
  minute,
  now,
  path,
} from "@/server/controller/testing/host-view";
import { agent, contentOf, planned } from "@/server/controller/testing/view-parts";
import { allDrives, fingerprintOf, sku as plainSku } from "@/server/controller/testing/hardware";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const time = "2026-11-01T00:00:00.000Z";
const test = (
  name: string,
  result: "passed" | "failed" | "skipped" = "passed",
): ValidationBody["tests"][number] => ({
  name,
  result,
  message: `${name} says`,
  startedAt: time,
  endedAt: time,
});
const passed = [test("memory-pattern"), test("storage-read"), test("network-loopback")];
const base = {
  reclamation: planned(),
  agent: agent(),
  context: { proven: emptyProven(), minEpoch: 3 },
} satisfies ViewChanges;
const validating = (changes: ViewChanges = {}) =>
  decideOn(hostView("Validation/MachineValidating", { ...base, ...changes }));
const unchanged: NonNullable<ValidationBody["content"]> = allDrives.map(({ serial, model }) => ({
  serial,
  model,
  fingerprint: fingerprintOf({ serial }),
}));
const reported = (
  tests: ValidationBody["tests"],
  command = "validate:3",
  bootEpoch = 3,
  content: ValidationBody["content"] = unchanged,
) => validating({ signals: [{ kind: "validation", payload: { bootEpoch, command, tests, content } }] });

describe("MachineValidating", () => {
  it("gives the agent the tests of the reclamation's policy", () => {
    const decision = validating();
    expect(decision.run.command).toEqual({
      kind: "validate",
      id: "validate:3",
      tests: ["memory-pattern", "storage-read", "network-loopback"],
      fingerprint: { secret: "secret", samplesPerDevice: 1000 },
    });
    expect(decision.run.dueAtMs).toBe(heardUntilMs(now - 5_000, minute) + 1);
  });

  it("gives the agent those of the host's SKU as well, and needs each of them", () => {
    const sku = {
      ...plainSku,
      components: { ...plainSku.components, tests: ["gpu-bandwidth", "storage-read"] },
    };
    const asked = validating({ host: { sku } });
    expect(asked.run.command).toMatchObject({
      tests: ["memory-pattern", "storage-read", "network-loopback", "gpu-bandwidth"],
    });
    const payload = { bootEpoch: 3, command: "validate:3", tests: passed, content: unchanged };
    const decision = validating({ host: { sku }, signals: [{ kind: "validation", payload }] });
    expect(path(decision)).toEqual(["Failed/MachineValidation"]);
    expect(decision.run.context.proven.tests?.skipped).toEqual(["gpu-bandwidth"]);
  });

  it("goes on when all passed", () => {
    const decision = reported(passed);
    expect(path(decision).slice(0, 2)).toEqual(["HostInit/Discovered", "ReturnToAllocation/EvaluatingGates"]);
    expect(decision.run.context.proven.tests).toEqual({
      ...{ epoch: 3, passed: 3, failed: [], skipped: [] },
      names: ["memory-pattern", "storage-read", "network-loopback"],
    });
  });

  it.each([
    [
      "failed",
      [...passed.slice(1), test("memory-pattern", "failed")],
      /^Test memory-pattern failed: memory-pattern says\.$/,
    ],
    [
      "was skipped",
      [...passed.slice(1), test("memory-pattern", "skipped")],
      /^The agent did not run test memory-pattern\.$/,
    ],
    ["was left out", passed.slice(1), /^The agent did not run test memory-pattern\.$/],
    [
      "is there, but none of those asked for",
      [test("something-else")],
      /^The agent did not run tests memory-pattern, storage-read, network-loopback\.$/,
    ],
  ])("stops the host when a test %s", (_what, tests, message) => {
    const decision = reported(tests);
    expect(path(decision)).toEqual(["Failed/MachineValidation"]);
    expect(decision.run.lastError).toMatch(message);
  });

  it("notes the boot that found the drives unchanged", () => {
    expect(reported(passed).reclamation?.row.content?.read).toEqual({
      epoch: 3,
      at: new Date(now).toISOString(),
    });
    expect(validating({ reclamation: planned({ content: null }) }).run.command).not.toHaveProperty(
      "fingerprint",
    );
  });

  it.each([
    [
      "was written to",
      unchanged.map((drive) =>
        drive.serial === "NVME2" ? { ...drive, fingerprint: fingerprintOf(drive, "written to") } : drive,
      ),
      /^the boot record, the partition table, and a sampled block of drive NVME2 changed between its erase and the final boot\. Retry erases/,
    ],
    ["is not told of", unchanged.slice(1), /^drive NVME1 was not read again in the final boot/],
    ["is told of twice", [...unchanged, ...unchanged.slice(0, 1)], /^drive NVME1 was read twice/],
    [
      "cannot be read",
      [{ serial: "NVME1", model: "P5520", problem: "dd answered 5" }, ...unchanged.slice(1)],
      /^drive NVME1 could not be read again: dd answered 5/,
    ],
    [
      "is another model",
      unchanged.map((drive) => (drive.serial === "SSD1" ? { ...drive, model: "other" } : drive)),
      /^drive SSD1 was not read again/,
    ],
    ["nobody told of", undefined, /drive NVME1 was not read again.*NVME2.*SSD1/],
  ])("stops the host when a drive %s", (_what, content, message) => {
    const decision = validating({
      signals: [
        { kind: "validation", payload: { bootEpoch: 3, command: "validate:3", tests: passed, content } },
      ],
    });
    expect(path(decision)).toEqual(["Failed/ContentChanged"]);
    expect(decision.run.lastError).toMatch(message);
    expect(decision.reclamation?.row.content?.read).toBeNull();
  });

  describe("with a remnant probe", () => {
    const areas = "1/100/512";
    const probe = { areas, written: "Bw", read: "Bw", found: "", renewed: false, firmware: "F1" };
    const kept = { ...probe, technique: "nvme-sanitize-block" as const };
    const drives = contentOf().drives.map((drive) => ({ ...drive, probe: kept }));
    const policyWith = (requireProbe: boolean) => {
      const policy = plainPolicy();
      return { ...policy, sanitization: { ...policy.sanitization, canariesPerDevice: 3, requireProbe } };
    };
    const knows = agent({ hardwareManagers: [{ name: "reclaim", version: "5", steps: [] }] });
    const probed = (requireProbe = false, changes: ViewChanges = {}) =>
      validating({
        reclamation: planned({
          policy: policyWith(requireProbe),
          content: contentOf({ drives, read: null }),
        }),
        agent: knows,
        ...changes,
      });
    const reading = (found: string) => ({ probe: { areas, read: "Bw", found } });
    const told = (content: ValidationBody["content"]): ViewChanges => ({
      signals: [
        { kind: "validation", payload: { bootEpoch: 3, command: "validate:3", tests: passed, content } },
      ],
    });
    const all = (found = "") => unchanged.map((drive) => ({ ...drive, ...reading(found) }));

    it("asks an agent that knows it for the canaries, and no other", () => {
      expect(probed().run.command).toMatchObject({ fingerprint: { canaries: 3 } });
      const old = agent({ hardwareManagers: [{ name: "reclaim", version: "4", steps: [] }] });
      expect(probed(false, { agent: old }).run.command).toMatchObject({
        fingerprint: { secret: "secret", samplesPerDevice: 1000 },
      });
      expect(JSON.stringify(probed(false, { agent: old }).run.command)).not.toContain("canaries");
      expect(path(probed(true, { agent: old }))).toEqual(["Failed/AgentVersionMismatch"]);
    });

    it("goes on where no canary is left, and stops the host at one, by the drive's name", () => {
      const good = probed(false, told(all()));
      expect(path(good)[0]).toBe("HostInit/Discovered");
      expect(good.entered[0]?.reason).toMatch(
        /content of the drives is unchanged; 0 of \d+ canaries are left$/,
      );
      expect(good.probes).toHaveLength(drives.length);
      const left = all().map((drive) => (drive.serial === "NVME2" ? { ...drive, ...reading("Ag") } : drive));
      const decision = probed(false, told(left));
      expect(path(decision)).toEqual(["Failed/ContentChanged"]);
      expect(decision.run.lastError).toMatch(/NVME2.*still holds 1 of 3 canaries/);
      expect(decision.reclamation?.row.content?.read).toBeNull();
    });

    it("is none where nothing was written or could be read: not counted, and not enough where it is required", () => {
      const with0 = (changes: object, requireProbe: boolean, content: ValidationBody["content"] = all()) =>
        probed(requireProbe, {
          ...told(content),
          reclamation: planned({
            policy: policyWith(requireProbe),
            content: contentOf({
              drives: drives.map((drive) => ({ ...drive, probe: { ...kept, ...changes } })),
              read: null,
            }),
          }),
        });
      const blind = all().map((drive) => ({ ...drive, probe: { areas, read: "", found: "" } }));
      for (const [changes, content] of [
        [{ written: "", read: "" }, all()],
        [{ read: "" }, blind],
      ] as const) {
        const free = with0(changes, false, content);
        expect(path(free)[0]).toBe("HostInit/Discovered");
        expect([free.probes, free.entered[0]?.reason]).toEqual([[], expect.not.stringContaining("canaries")]);
        expect(path(with0(changes, true, content))).toEqual(["Failed/ContentChanged"]);
      }
      expect(with0({ read: "" }, true, blind).run.lastError).toMatch(/none of its canaries could be read/);
    });

    it("that the policy requires is missing of drives that nobody read, such as those that a BMC erased", () => {
      const decision = (kept: readonly (typeof drives)[number][], since: "erase" | "ready" = "erase") =>
        probed(true, {
          ...told(all()),
          reclamation: planned({
            policy: policyWith(true),
            content: contentOf({ drives: kept, read: null, since }),
          }),
          deviceVerdicts: allDrives.map(({ serial, model }) => ({
            ...{ serial, model, reason: "" },
            verdict: "sanitized" as const,
          })),
        });
      expect(path(decision(drives))[0]).toBe("HostInit/Discovered");
      for (const some of [drives.slice(1), []]) {
        expect(path(decision(some))).toEqual(["Failed/ContentChanged"]);
        expect(decision(some).run.lastError).toMatch(/NVME1.*not probed.*erased by its BMC/);
      }
      expect(path(decision(drives.slice(1), "ready"))[0]).toBe("HostInit/Discovered");
    });

    it("is not asked of the agent that reads the drives of a recheck", () => {
      const old = agent({ hardwareManagers: [{ name: "reclaim", version: "4", steps: [] }] });
      const reclamation = planned({
        policy: policyWith(true),
        content: contentOf({ drives, since: "ready", read: null }),
      });
      const decision = probed(true, { agent: old, reclamation });
      expect([path(decision), decision.run.command?.kind]).toEqual([[], "validate"]);
    });

    it("is counted once, however often the final boot reads it", () => {
      const reclamation = planned({ policy: policyWith(false), content: contentOf({ drives }) });
      expect(probed(false, { ...told(all()), reclamation }).probes).toEqual([]);
      expect(probed(false, { ...told(all("Ag")), reclamation }).probes).toHaveLength(drives.length);
    });

    it("asks for every drive's reading only where the policy requires it", () => {
      expect(path(probed(false, told(unchanged)))[0]).toBe("HostInit/Discovered");
      const decision = probed(true, told([...all().slice(0, 1), ...unchanged.slice(1)]));
      expect(path(decision)).toEqual(["Failed/ContentChanged"]);
      expect(decision.run.lastError).toMatch(/NVME2.*was not probed, but the policy requires it/);
    });
  });

  it("does not ask an agent that cannot read content", () => {
    const old = validating({
      agent: agent({ hardwareManagers: [{ name: "reclaim", version: "3", steps: [] }] }),
    });
    expect([path(old), old.run.lastError]).toEqual([
      ["Failed/AgentVersionMismatch"],
      expect.stringContaining("roll out an agent image"),
    ]);
  });

  it.each([
    ["of another command", "validate:2", 3],
    ["of another boot", "validate:3", 2],
  ])("does not take a report %s", (_what, command, bootEpoch) => {
    const decision = reported(passed, command, bootEpoch);
    expect(path(decision)).toEqual([]);
    expect(decision.run.context.proven.tests).toBeNull();
  });

  it("begins again with a restart and a new inventory when the agent is gone, and ends at its time limit", () => {
    const proven = { ...allProven, tests: null };
    const gone = validating({
      agent: agent({ lastSeenMs: now - 2 * minute }),
      context: { proven, minEpoch: 3 },
    });
    expect(path(gone)).toEqual(["BomValidating/BootingAgent"]);
    expect(gone.run.context.proven).toMatchObject({ sku: null, tests: null, lastStepEpoch: 2 });
    expect(effectKindsOf(gone)).toEqual(["bootAgent"]);
    expect(gone.run.context.minEpoch).toBe(4);
    expect(path(validating({ run: { stateSinceMs: now - 30 * minute } }))).toEqual([
      "Failed/MachineValidation",
    ]);
  });
});

describe("RebootHost", () => {
  it("goes on when the agent of the new boot is there", () => {
    expect(path(decideOn(hostView("Validation/RebootHost", base)))).toEqual(["Validation/MachineValidating"]);
    expect(path(decideOn(hostView("Validation/RebootHost", { ...base, context: { minEpoch: 4 } })))).toEqual(
      [],
    );
  });
});
