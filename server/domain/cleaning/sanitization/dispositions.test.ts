// Which drives a disposition accounts for: missing ones, and never one that somebody sees.
import { describe, expect, it } from "vitest";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { dispositionKinds, dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import { answerDevices, formatAnswer } from "@/server/domain/cleaning/sanitization/dispositions";
import type { Disposition, Reading } from "@/server/domain/cleaning/sanitization/dispositions";
import { freezeDevices, unresolved } from "@/server/domain/cleaning/sanitization/known-devices";
import { device as drive } from "@/server/domain/cleaning/sanitization/testing/device-results";

const saidAt = "2026-11-22T08:00:00.000Z";
const before = Date.parse(saidAt) - 1;
const after = Date.parse(saidAt) + 1;
const said = (key: string, changes: Partial<Disposition> = {}): Disposition => ({
  id: `d-${key}`,
  key,
  model: "",
  slot: null,
  kind: "removed-destroyed",
  reason: "shredded",
  by: "Ada",
  at: saidAt,
  signature: "signed",
  signedBy: "Bea",
  ...changes,
});
const reading = (storage: readonly StorageDevice[], takenMs = after): Reading => ({ takenMs, storage });

/** The list from what BMC and agent report and a debt names, with these dispositions applied. */
function answered(
  bmc: Reading,
  agent: Reading,
  debts: readonly string[],
  dispositions: readonly Disposition[],
) {
  const list = answerDevices(freezeDevices(bmc.storage, agent.storage, debts, []), dispositions, [
    bmc,
    agent,
  ]);
  return {
    expected: list.expected.map(({ serial }) => serial),
    missing: list.missing.map(({ serial }) => serial),
    answered: (list.answered ?? []).map(({ serial }) => serial),
  };
}

describe("a drive that a debt names and nobody lists", () => {
  const there = reading([drive("A")]);

  it("is missing until it is answered for", () => {
    expect(answered(there, there, ["A", "Z"], [])).toEqual({ expected: ["A"], missing: ["Z"], answered: [] });
    expect(answered(there, there, ["A", "Z"], [said("Y")])).toEqual({
      expected: ["A"],
      missing: ["Z"],
      answered: [],
    });
  });

  it.each(["waits", "rejected", "one"] as const)(
    "is missing where the statement is not signed: %s",
    (signature) => {
      expect(answered(there, there, ["A", "Z"], [said("Z", { signature, signedBy: null })])).toEqual({
        expected: ["A"],
        missing: ["Z"],
        answered: [],
      });
    },
  );

  it.each(dispositionKinds.filter((kind) => kind !== "misread"))(
    "is answered for by %s, with the statement as evidence",
    (kind) => {
      expect(answered(there, there, ["A", "Z"], [said("Z", { kind })])).toEqual({
        expected: ["A"],
        missing: [],
        answered: ["Z"],
      });
      expect(answerDevices(freezeDevices([], [], ["Z"], []), [said("Z", { kind })], []).answered).toEqual([
        { serial: "Z", model: "", knownBy: "sanitization debt", disposition: said("Z", { kind }) },
      ]);
    },
  );
});

describe("what is seen is there, whatever is said of it", () => {
  it("by the agent: the drive stays expected", () => {
    const both = reading([drive("A")]);
    expect(answered(both, both, ["A"], [said("A")])).toEqual({ expected: ["A"], missing: [], answered: [] });
    expect(answered(reading([]), both, ["A"], [said("A")])).toEqual({
      expected: ["A"],
      missing: [],
      answered: [],
    });
  });

  it("by the BMC alone: the drive stays expected and missing, also when it was read before the statement", () => {
    for (const takenMs of [before, after])
      expect(answered(reading([drive("A")], takenMs), reading([]), ["A"], [said("A")])).toEqual({
        expected: ["A"],
        missing: ["A"],
        answered: [],
      });
  });

  it("as a virtual medium, which is left out of the list", () => {
    expect(
      answered(reading([]), reading([drive("U", { transport: "virtual" })]), ["U"], [said("U")]),
    ).toEqual({ expected: [], missing: ["U"], answered: [] });
  });
});

describe("an entry that is no drive anybody could treat", () => {
  const entry = (slot: string) =>
    unresolved({ source: "bmc", place: `bay ${slot}`, slot, serial: null, model: null, reason: "no serial" });
  const list = freezeDevices([drive("A")], [drive("A")], [], [], { unresolved: [entry("3"), entry("4")] });

  it("is answered for by misread under its own key, with the statement as evidence", () => {
    const answer = said(entry("3").key, { kind: "misread", slot: "bay 3" });
    expect(answerDevices(list, [answer], [])).toMatchObject({
      unresolved: [entry("4")],
      resolved: [entry("3")],
      answered: [{ serial: "bay 3", model: "", knownBy: "BMC", disposition: answer }],
    });
  });

  it("is not answered for by anything else, nor by an answer to what was there before", () => {
    expect(answerDevices(list, [said(entry("3").key)], [])).toEqual(list);
    expect(
      answerDevices(
        list,
        [
          said(unresolved({ ...entry("3"), model: "M" }).key, { kind: "misread", slot: "bay 3" }),
          said("bay 3", { kind: "misread", slot: "3" }),
        ],
        [],
      ),
    ).toEqual(list);
  });
});

it("two drives that the agent sees under one serial number are answered for by nothing", () => {
  const twins = [drive("A", { slot: "1" }), drive("A", { slot: "2" })];
  const list = freezeDevices([], twins, [], []);
  const [entry] = list.unresolved ?? [];
  expect(entry?.reason).toMatch(/Remove or replace one of the drives, or correct multipath/);
  expect(
    answerDevices(list, [said(entry?.key ?? "", { kind: "misread", slot: "1" })], []).unresolved,
  ).toEqual([entry]);
  // Drives that the BMC lists under one serial, but the agent can tell apart.
  const byBmc = freezeDevices(twins, [], [], []);
  expect(
    answerDevices(byBmc, [said(byBmc.unresolved?.[0]?.key ?? "", { kind: "misread", slot: "1" })], [])
      .unresolved,
  ).toEqual([]);
});

describe("a drive that was misread", () => {
  const misread = said("A0", { kind: "misread", slot: "3" });
  const bmc = (takenMs: number) => reading([drive("A0", { slot: "3" })], takenMs);

  it("is answered for by another drive in that slot, which is expected", () => {
    expect(answered(bmc(before), reading([drive("AO", { slot: "3" })]), [], [misread])).toEqual({
      expected: ["AO"],
      missing: [],
      answered: ["A0"],
    });
  });

  it.each<[string, Reading, Reading]>([
    ["the slot was not read again", bmc(before), reading([drive("AO", { slot: "3" })], before)],
    ["the slot is empty", bmc(after), reading([])],
    ["another slot holds a drive", bmc(after), reading([drive("AO", { slot: "4" })])],
    ["the agent does not say in which slot", bmc(after), reading([drive("AO")])],
  ])("is not when %s", (_what, byBmc, byAgent) => {
    expect(answered(byBmc, byAgent, [], [misread])).toMatchObject({ missing: ["A0"], answered: [] });
  });
});

it("a statement of one model answers for no other", () => {
  const list = freezeDevices([drive("A"), drive("A", { model: "N" })], [], [], []);
  const misread = said("A", { kind: "misread", slot: "1", model: "N" });
  expect(answerDevices(list, [misread], [reading([drive("B", { slot: "1" })])]).missing).toEqual([
    { serial: "A", model: "M", knownBy: "BMC" },
  ]);
});

it("an answer names drive, kind, who said it, when and why", () => {
  expect(formatAnswer({ serial: "S1", disposition: said("S1") })).toBe(
    "Drive S1: removed and destroyed, stated by Ada on 2026-11-22, signed by Bea: shredded",
  );
  expect(
    formatAnswer({
      serial: "S1",
      disposition: said("S1", { signedBy: null, signature: "one", kind: "misread", slot: "3" }),
    }),
  ).toBe("Drive S1: misread in slot 3, stated by Ada on 2026-11-22, one signature: shredded");
  for (const kind of dispositionKinds) expect(dispositionTable[kind].consequence).toMatch(/\.$/);
});
