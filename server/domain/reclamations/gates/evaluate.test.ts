// Each gate with each status, from the evidence and never from the absence of an error.
import { describe, expect, it } from "vitest";
import { evaluateGates } from "@/server/domain/reclamations/gates/evaluate";
import type { GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import { gateNames, gateStatuses, gateTable, passes } from "@/server/domain/reclamations/gates/gate-names";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import { platformCases } from "@/server/domain/reclamations/gates/testing/platform-cases";
import { assuranceCases } from "@/server/domain/reclamations/gates/testing/assurance-cases";
import { deviceMemoryCases } from "@/server/domain/reclamations/gates/testing/device-memory-cases";
import { otherCases } from "@/server/domain/reclamations/gates/testing/cases";
import { storageCases } from "@/server/domain/reclamations/gates/testing/storage-cases";
import {
  good,
  noErase,
  recheck,
  off,
  unnamed,
  drive,
  second,
  ack,
  skipped,
  run,
  listed,
} from "@/server/domain/reclamations/gates/testing/evidence";

const cases = [...assuranceCases, ...deviceMemoryCases, ...platformCases, ...otherCases, ...storageCases];

describe("the gate", () => {
  it.each(cases)("%s is %s when %s", (gate, status, _what, changes) => {
    const result = evaluateGates({ ...good, ...changes }).find((row) => row.gate === gate);
    expect(result?.status).toBe(status);
    expect(result?.reason).not.toBe("");
  });

  it.each(gateNames)("%s has a case, a meaning, and is always evaluated", (gate) => {
    expect(cases.some(([name]) => name === gate)).toBe(true);
    expect(gateTable[gate].meaning).not.toBe("");
    expect(evaluateGates(good).filter((row) => row.gate === gate)).toHaveLength(1);
  });

  it("names the step that was disabled, and by whom", () => {
    const reasonOf = (changes: Partial<GateEvidenceInput>, gate: GateName) =>
      evaluateGates({ ...good, ...changes }).find((row) => row.gate === gate)?.reason;
    expect(reasonOf({ ...noErase, debts: 0 }, "storageSanitized")).toBe(
      "deploy.erase_nvme disabled by site override (who set it is not recorded)",
    );
    expect(
      reasonOf(
        { disabled: [{ ...off("clear_tpm", ["platformAtBaseline"]), source: "sku", setBy: "Ada" }] },
        "platformAtBaseline",
      ),
    ).toBe("deploy.clear_tpm disabled by SKU override (set by Ada), and the host owes a sanitization");
  });

  it("that is waived says by which version of the policy, and who set it", () => {
    const waived = (changes: Partial<GateEvidenceInput>) =>
      evaluateGates({
        ...good,
        requires: { ...good.requires, attestationPassed: false },
        debts: 0,
        ...changes,
      }).filter(({ status }) => status === "waived");
    expect(waived({})).toEqual([
      {
        gate: "attestationPassed",
        status: "waived",
        reason: "the site's policy does not require measured boot (policy version 3, set by Ada)",
        evidence: { waived: { by: "policy", version: 3, setBy: "Ada" } },
      },
    ]);
    const off = waived({ ...skipped, policyOrigin: { version: 7, setBy: null } })[0];
    expect(off?.reason).toBe(
      "automated cleaning is off on this site (policy version 7, who set it is not recorded)",
    );
    expect(waived({ ...skipped, cleaningSetFor: "host" })[0]?.reason).toBe(
      "automated cleaning is off for this host (who set it is not recorded)",
    );
  });

  it("of a recheck names the drive whose erase counts no more, and the way out", () => {
    const deviceVerdicts = [
      { ...drive, verdict: "failed" as const, reason: "erased by scsi-format, which never counts" },
    ];
    expect(
      evaluateGates({ ...good, ...recheck, deviceVerdicts }).find((row) => row.gate === "storageSanitized")
        ?.reason,
    ).toBe("drive A: erased by scsi-format, which never counts: restart the plan");
  });

  it("says what of the storage cannot be named, what was left out, and what to do with a USB medium", () => {
    const storage = (changes: Partial<GateEvidenceInput>) =>
      evaluateGates({ ...good, ...changes }).find((row) => row.gate === "storageSanitized");
    const excluded = [{ serial: "SD", model: "IDSDM", reason: "excluded by the site's policy: hypervisor" }];
    expect(storage({ devices: listed([drive], { unresolved: [unnamed], excluded }) })).toMatchObject({
      reason: "Drive in bay 3 has no serial number.",
      evidence: { unresolved: [unnamed], excluded },
    });
    expect(storage({ devices: listed([drive], { unresolved: [unnamed, unnamed] }) })?.reason).toBe(
      "Drive in bay 3 has no serial number. (and 1 more)",
    );
    expect(storage({ devices: listed([drive], { excluded }) })).toMatchObject({
      status: "satisfied",
      evidence: { excluded },
    });
    expect(storage({ devices: listed([drive, { ...second, transport: "usb" }]) })?.reason).toBe(
      "B: no step erases a USB medium; remove it, or exclude it in the site's policy (sanitization.excludedMedia)",
    );
  });

  it("counts interfaces as one says it", () => {
    const reason = evaluateGates(good).find(({ gate }) => gate === "adminNetworkSynced")?.reason;
    expect(reason).toBe("1 interface acknowledged version 4");
  });

  it("names what it rests on", () => {
    const evidence = Object.fromEntries(evaluateGates(good).map((row) => [row.gate, row.evidence]));
    expect(evidence["cleanupCompleted"]).toEqual({
      stepRuns: good.plan.map((row) => ({ id: row.id, attempt: 1, status: "succeeded" })),
    });
    expect(evidence["storageSanitized"]).toEqual({
      content: { readEpoch: 2, drives: ["A"], visibleToBmcOnly: [] },
      devices: [{ serial: "A", verdict: "sanitized" }],
    });
    expect(evidence["adminNetworkSynced"]).toEqual({ version: 4, acknowledgements: [ack] });
  });
});

describe("a host without a machine", () => {
  const of = (changes: Partial<GateEvidenceInput>) => evaluateGates({ ...good, fake: true, ...changes });

  it("has no gate proven, whatever was recorded of it", () => {
    expect(new Set(of({}).map(({ status }) => status))).toEqual(new Set(["not required: fake hardware"]));
    expect(
      new Set(
        of(skipped)
          .filter(({ gate }) => gate !== "cleanupCompleted")
          .map(({ status }) => status),
      ),
    ).toEqual(new Set(["not required: fake hardware"]));
  });

  it.each<[GateName, Partial<GateEvidenceInput>]>([
    ["instanceReleased", { instanceOpen: true }],
    ["tenantNetworkReleased", { resourcesHeld: 1 }],
    ["cleanupCompleted", { plan: [...good.plan, run("x", [], "failed")] }],
    ["healthy", { maintenance: true }],
  ])("is still held back by %s, which needs no machine", (gate, changes) => {
    expect(
      of(changes)
        .filter(({ status }) => status === "unsatisfied")
        .map((row) => row.gate),
    ).toEqual([gate]);
  });

  it("shows nothing of that on any other host", () => {
    expect(evaluateGates(good).map(({ status }) => status)).not.toContain("not required: fake hardware");
  });
});

describe("a status lets the host pass", () => {
  it.each(gateStatuses)("%s", (status) => {
    const always = ["satisfied", "not required", "waived", "excepted"].includes(status);
    expect(passes(status, { demo: false, fake: false })).toBe(always);
    expect(passes(status, { demo: true, fake: false })).toBe(always || status === "not implemented");
    expect(passes(status, { demo: false, fake: true })).toBe(
      always || status === "not required: fake hardware",
    );
  });
});
