// What an exception lets through, and what no exception does.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { evaluateGates } from "@/server/domain/reclamations/gates/evaluate";
import { askRefusal, exceptionStanding } from "@/server/domain/reclamations/gates/exception-standing";
import {
  driveEvidence,
  evaluateWithExceptions,
  exceptedUntilMs,
  exceptionEvidence,
} from "@/server/domain/reclamations/gates/exceptions";
import type { ExceptedDevice, GateException } from "@/server/domain/reclamations/gates/exceptions";
import { gateNames, gateTable, passes } from "@/server/domain/reclamations/gates/gate-names";
import type { StepStatus } from "@/server/domain/hosts/record/reclamation";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import type { GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import { otherCases } from "@/server/domain/reclamations/gates/testing/cases";
import { drive, good, listed } from "@/server/domain/reclamations/gates/testing/evidence";
import { storageCases } from "@/server/domain/reclamations/gates/testing/storage-cases";

const facts = { reclamationId: "r-1", planEpoch: 1, nowMs: 1_000 };

/** For what the gate currently says of this input. */
function exceptionFor(
  input: GateEvidenceInput,
  gate: GateName,
  device: ExceptedDevice | null = null,
): GateException {
  const found = evaluateGates(input).find((each) => each.gate === gate);
  if (found === undefined) throw new Error(gate);
  return {
    ...{ id: `x-${gate}`, gate, device, validUntilMs: 2_000, by: "Ada", approvedBy: "Bea" },
    ...{ reason: "spare parts come on Monday", askedAtMs: 1, approvedAtMs: 2 },
    evidence: evidenceDigest(
      device === null
        ? exceptionEvidence(facts, found)
        : driveEvidence(
            facts,
            device,
            input.deviceVerdicts.find(({ serial }) => serial === device.serial) ?? null,
          ),
    ),
  };
}
const gateOf = (
  input: GateEvidenceInput,
  gate: GateName,
  exceptions: readonly GateException[],
  changed: Partial<typeof facts> = {},
) => evaluateWithExceptions(input, exceptions, { ...facts, ...changed }).find((each) => each.gate === gate);

const second = { ...drive, serial: "B" };
const two: GateEvidenceInput = {
  ...good,
  devices: listed([drive, second]),
  deviceVerdicts: [
    { serial: "A", model: "M", verdict: "sanitized", reason: "" },
    { serial: "B", model: "M", verdict: "failed", reason: "its sanitize failed" },
  ],
};
const noMemory: GateEvidenceInput = {
  ...good,
  plan: good.plan.filter(({ step }) => step !== "verify_mem_overwrite"),
};

describe("an exception for a whole gate", () => {
  const own = exceptionFor(noMemory, "memoryOverwritten");
  it("lets it through, and the gate says so with who and until when", () => {
    expect(gateOf(noMemory, "memoryOverwritten", [own])).toMatchObject({
      status: "excepted",
      reason:
        "no step for it was planned; let through: asked by Ada, approved by Bea, until 1970-01-01T00:00Z",
      evidence: {
        found: { status: "unsatisfied", reason: "no step for it was planned" },
        exceptions: [{ id: own.id, by: "Ada", approvedBy: "Bea" }],
      },
    });
  });
  it.each([
    ["its end", [own], { nowMs: 2_000 }],
    ["another plan", [own], { planEpoch: 2 }],
    ["another reclamation", [own], { reclamationId: "r-2" }],
    ["other evidence", [{ ...own, evidence: "0".repeat(64) }], {}],
    ["another gate", [{ ...own, gate: "infinibandClean" as const }], {}],
    ["one for a drive", [{ ...own, device: drive }], {}],
  ])("does not: %s", (_what, exceptions, changed) => {
    expect(gateOf(noMemory, "memoryOverwritten", exceptions, changed)?.status).toBe("unsatisfied");
  });
  it("does not for a host that leaves the fleet", () => {
    const leaving = { ...noMemory, kind: "decommission" as const };
    expect(gateOf(leaving, "memoryOverwritten", [exceptionFor(leaving, "memoryOverwritten")])?.status).toBe(
      "unsatisfied",
    );
  });
  it("holds in a later boot that finds the same, and not when it finds something else", () => {
    const found = { gate: "memoryOverwritten", status: "unsatisfied", reason: "no result" } as const;
    const digest = (epoch: number, kind: string) =>
      evidenceDigest(exceptionEvidence(facts, { ...found, evidence: { read: [{ epoch, kind }] } }));
    expect(digest(3, "dimm")).toBe(digest(2, "dimm"));
    expect(digest(3, "hbm")).not.toBe(digest(2, "dimm"));
  });
});

describe("an exception for a drive", () => {
  const device = { serial: "B", model: "M" };
  const own = exceptionFor(two, "storageSanitized", device);
  it("lets that drive through, which reads not sanitized", () => {
    expect(gateOf(two, "storageSanitized", [own])).toMatchObject({
      status: "excepted",
      reason: expect.stringContaining("drive B is not sanitized"),
      evidence: {
        devices: [
          { serial: "A", verdict: "sanitized" },
          { serial: "B", verdict: "failed" },
        ],
      },
    });
  });
  it("lets no other drive through, nor anything else that is open", () => {
    const third = {
      ...two,
      devices: listed([...two.devices.expected, { ...drive, serial: "C" }]),
    };
    expect(gateOf(third, "storageSanitized", [exceptionFor(third, "storageSanitized", device)])?.status).toBe(
      "unsatisfied",
    );
    const moved = { ...two, proven: { ...two.proven, sku: null } };
    expect(gateOf(moved, "storageSanitized", [exceptionFor(moved, "storageSanitized", device)])?.status).toBe(
      "unsatisfied",
    );
    expect(gateOf(two, "storageSanitized", [{ ...own, device: null }])?.status).toBe("unsatisfied");
  });
  it("is void once its drive has another result", () => {
    const again: GateEvidenceInput = {
      ...two,
      deviceVerdicts: two.deviceVerdicts.map((each) =>
        each.verdict === "failed" ? { ...each, reason: "it timed out" } : each,
      ),
    };
    expect(gateOf(again, "storageSanitized", [own])?.status).toBe("unsatisfied");
  });
  it("stands for the only drive of a host, too", () => {
    const only: GateEvidenceInput = {
      ...good,
      deviceVerdicts: [{ serial: "A", model: "M", verdict: "failed", reason: "no" }],
    };
    const asked = exceptionFor(only, "storageSanitized", { serial: "A", model: "M" });
    expect(gateOf(only, "storageSanitized", [asked])?.status).toBe("excepted");
    expect(gateOf({ ...only, guest: true }, "storageSanitized", [asked])?.status).toBe("unsatisfied");
  });
});

describe("a step that stopped at a drive", () => {
  const erase = two.plan.findIndex(({ proves }) => proves.includes("storageSanitized"));
  const at = (status: StepStatus, proves: readonly GateName[] = ["storageSanitized"]): GateEvidenceInput => ({
    ...two,
    plan: two.plan.map((run, index) => (index === erase ? { ...run, status, proves } : run)),
  });
  const own = exceptionFor(two, "storageSanitized", { serial: "B", model: "M" });
  it("is let through with it, by the same exception", () => {
    expect(gateOf(at("excepted"), "cleanupCompleted", [own])).toMatchObject({
      status: "excepted",
      evidence: { exceptions: [{ id: own.id, serial: "B" }] },
    });
  });
  it.each([
    ["that failed and was not let through", at("failed"), [own]],
    ["without the exception", at("excepted"), []],
    ["that proves something else, too", at("excepted", ["storageSanitized", "memoryOverwritten"]), [own]],
    ["beside another open drive", { ...at("excepted"), deviceVerdicts: [] }, [own]],
  ])("is not: %s", (_what, input, exceptions) => {
    expect(gateOf(input, "cleanupCompleted", exceptions)?.status).toBe("unsatisfied");
  });
});

it("whatever is excepted, a gate passes only by its rule or by an exception for just this, and some never", () => {
  const inputs = [...otherCases, ...storageCases].map(([, , , change]) => ({ ...good, ...change }));
  fc.assert(
    fc.property(
      fc.constantFrom(...inputs),
      fc.constantFrom(...inputs),
      fc.nat(3_000),
      fc.boolean(),
      (asked: GateEvidenceInput, now: GateEvidenceInput, nowMs, wide) => {
        const exceptions = gateNames.map((gate) =>
          exceptionFor(
            asked,
            gate,
            gateTable[gate].exception === "device" && wide ? { serial: "A", model: "M" } : null,
          ),
        );
        const plain = evaluateGates(now);
        evaluateWithExceptions(now, exceptions, { ...facts, nowMs }).forEach((result, index) => {
          const found = plain[index];
          if (result.status !== "excepted") return expect(result).toEqual(found);
          expect(gateTable[result.gate].exception).not.toBe("never");
          expect(nowMs).toBeLessThan(2_000);
          expect(passes(found?.status ?? "satisfied", { demo: false, fake: false })).toBe(false);
        });
      },
    ),
    { numRuns: 300 },
  );
});

it("a Ready host leaves allocation when the first of its exceptions ends", () => {
  const own = exceptionFor(noMemory, "memoryOverwritten");
  const results = evaluateWithExceptions(noMemory, [own], facts);
  expect(exceptedUntilMs(results, [own, { ...own, gate: "infinibandClean", validUntilMs: 1 }])).toBe(2_000);
  expect(exceptedUntilMs(results, [{ ...own, validUntilMs: 3_000 }, own])).toBe(2_000);
  expect(exceptedUntilMs(evaluateGates(good), [own])).toBeNull();
});

describe("nobody asks for one", () => {
  const asked = {
    ...{
      gate: "memoryOverwritten" as GateName,
      drive: null as string | null,
      kind: "release" as string | null,
    },
    ...{
      status: "unsatisfied" as string | null,
      stopped: false,
      openDrives: ["B"],
      validUntilMs: 2_000,
      nowMs: 1_000,
    },
  };
  const ofDrive = { gate: "storageSanitized" as const };
  it("unless there is something to let through", () => {
    expect(askRefusal(asked)).toBeNull();
    expect(askRefusal({ ...asked, ...ofDrive, drive: "B" })).toBeNull();
    expect(askRefusal({ ...asked, ...ofDrive, drive: "B", status: null, stopped: true })).toBeNull();
  });
  it.each([
    ["for what is never let through", { gate: "healthy" as const }, "gate"],
    ["without a reclamation", { kind: null }, "hostId"],
    ["for a host that leaves", { kind: "decommission" }, "hostId"],
    ["for a gate that holds", { status: "satisfied" }, "gate"],
    ["for a gate that was not evaluated", { status: null }, "gate"],
    ["for a whole gate where a step stopped", { status: null, stopped: true }, "gate"],
    ["for a drive of a reclamation that goes on", { ...ofDrive, drive: "B", status: null }, "gate"],
    ["for the past", { validUntilMs: 1_000 }, "validUntil"],
    ["for ever", { validUntilMs: 1_000 + 367 * 86_400_000 }, "validUntil"],
    ["for a drive of another gate", { drive: "B" }, "drive"],
    ["for all drives", ofDrive, "drive"],
    ["for a drive that is sanitized", { ...ofDrive, drive: "A" }, "drive"],
  ])("%s", (_what, change, field) => {
    expect(askRefusal({ ...asked, ...change })?.field).toBe(field);
  });
});

it.each([
  ["waits", {}],
  ["approved", { decision: "approved" }],
  ["rejected", { decision: "rejected" }],
  ["ended", { validUntilMs: 1_000 }],
  ["superseded", { decision: "approved", supersededMs: 900 }],
  ["superseded", { decision: "approved", supersededMs: 900, validUntilMs: 1_000 }],
  ["ended", { decision: "approved", supersededMs: 990, validUntilMs: 950 }],
  ["waits", { supersededMs: 900 }],
  ["void", { decision: "approved", voidedReason: "withdrawn" }],
] as const)("%s", (standing, change) => {
  expect(
    exceptionStanding(
      { decision: null, voidedReason: null, validUntilMs: 2_000, supersededMs: null, ...change },
      1_000,
    ),
  ).toBe(standing);
});
