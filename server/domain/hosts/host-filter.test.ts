// What a filter means, and the error if it means nothing.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHostFilter, sentFilter } from "@/server/domain/hosts/host-filter";
import { allStates, unknownState } from "@/server/domain/lifecycle/states";

const terms = (filter: string) => {
  const parsed = parseHostFilter(filter);
  return parsed.ok ? parsed.terms : parsed.message;
};
const failed = allStates().filter((state) => state.startsWith("Failed/"));

it("too long for an address is sent as one that says what is wrong", () => {
  const long = "x".repeat(3_000);
  expect(terms(sentFilter(long))).toBe("A filter has at most 500 characters.");
  expect(sentFilter(long).length).toBeLessThan(long.length);
  expect(sentFilter("state:Ready")).toBe("state:Ready");
});

describe("a filter", () => {
  it("may be empty", () => expect(terms("   ")).toEqual([]));
  it.each([
    ["state:Failed", [{ kind: "states", states: failed, negated: false }]],
    ["state: Failed", [{ kind: "states", states: failed, negated: false }]],
    ["state:failed/*", [{ kind: "states", states: failed, negated: false }]],
    ["-state:Ready", [{ kind: "states", states: ["Ready"], negated: true }]],
    ["not:state:Ready", [{ kind: "states", states: ["Ready"], negated: true }]],
    ["state:Ready,Manageable", [{ kind: "states", states: ["Ready", "Manageable"], negated: false }]],
    ["cause:nvme", [{ kind: "states", states: ["Failed/NVMECleanFailed"], negated: false }]],
    ["failure:3F2A9C0112aa", [{ kind: "failures", digests: ["3f2a9c0112aa"], negated: false }]],
    ["standing:notsanitized", [{ kind: "standing", standings: ["notSanitized"], negated: false }]],
    ["sla:over", [{ kind: "overLimit", negated: false }]],
    ["sla:within", [{ kind: "overLimit", negated: true }]],
    ["-sla:within", [{ kind: "overLimit", negated: false }]],
    ["is:needPerson,ready", [{ kind: "sets", sets: ["needPerson", "ready"], negated: false }]],
    ["site:a,b", [{ kind: "site", patterns: ["a", "b"], negated: false }]],
    ['tenant:"Vela Bio"', [{ kind: "tenant", patterns: ["Vela Bio"], negated: false }]],
    ["image:1.5.0", [{ kind: "image", patterns: ["1.5.0"], negated: false }]],
    ["maintenance:true", [{ kind: "maintenance", negated: false }]],
    ["maintenance:false", [{ kind: "maintenance", negated: true }]],
    ["maintenance:false", [{ kind: "maintenance", negated: true }]],
    ["overdue:true", [{ kind: "overdue", negated: false }]],
    ["silent:true", [{ kind: "silent", negated: false }]],
    ["-overdue:true", [{ kind: "overdue", negated: true }]],
    ["allocatable:false", [{ kind: "allocatable", negated: true }]],
    [
      "gpu-a 7LK",
      [
        { kind: "text", text: "gpu-a", negated: false },
        { kind: "text", text: "7LK", negated: false },
      ],
    ],
  ])("%s", (filter, expected) => expect(terms(filter)).toEqual(expected));
  it("finds the states of a tone", () =>
    expect(terms("tone:failed")).toEqual([{ kind: "states", states: failed, negated: false }]));
  it("names all states below one", () =>
    expect(terms("state:Validation")).toEqual([
      { kind: "states", states: ["Validation/RebootHost", "Validation/MachineValidating"], negated: false },
    ]));
});

describe("states of another release", () => {
  const others = ["Assigned/Dreaming", "Failed/DeepCleanFailed"].map((state) => unknownState.parse(state));
  const statesOf = (filter: string) => {
    const parsed = parseHostFilter(filter, others);
    const [first] = parsed.ok ? parsed.terms : [];
    return first?.kind === "states" ? first.states : parsed;
  };
  it("are named by their text, by a pattern, by what is above them, by cause and by tone", () => {
    expect(statesOf("state:Failed/DeepCleanFailed")).toEqual(["Failed/DeepCleanFailed"]);
    expect(statesOf("state:*dream*")).toEqual(["Assigned/Dreaming"]);
    expect(statesOf("state:Failed")).toEqual([...failed, "Failed/DeepCleanFailed"]);
    expect(statesOf("cause:deep")).toEqual(["Failed/DeepCleanFailed"]);
    expect(statesOf("tone:failed")).toContain("Failed/DeepCleanFailed");
    expect(statesOf("tone:waiting")).toContain("Assigned/Dreaming");
  });
  it("are not understood where no host is in one", () =>
    expect(terms("state:Failed/DeepCleanFailed")).toMatch(/no state Failed/));
});

describe("what is not understood", () => {
  it.each([
    ["a colour:red", /no filter colour/, 2],
    ["state:Nowhere", /no state Nowhere/, 0],
    ["x cause:coffee", /no failure cause coffee/, 2],
    ["owner:me", /owner: takes reclaim, tenant, repair-system, overdue; not me/, 0],
    ["health:ok", /health: takes none, healthy, alerts, blocked; not ok/, 0],
    ["standing:clean", /standing: takes proven, provenWithExceptions, .*; not clean/, 0],
    ["sla:", /needs a value/, 0],
    ["sla:soon", /over, within/, 0],
    ['site:"a', /not closed/, 5],
    ["maintenance:true,false", /one of true, false/, 0],
  ])("%s", (filter, message, position) => {
    const parsed = parseHostFilter(filter);
    expect(parsed).toMatchObject({ ok: false, position });
    expect(parsed.ok ? "" : parsed.message).toMatch(message);
  });
  it("is a filter that is too long", () => expect(parseHostFilter("a".repeat(501)).ok).toBe(false));
});

it("never throws, and never forgets a word", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (filter) => {
      const parsed = parseHostFilter(filter);
      if (parsed.ok) expect(parsed.terms.length).toBeLessThanOrEqual(filter.split(/\s+/).length);
      else expect(parsed.position).toBeLessThanOrEqual(filter.length);
    }),
  );
});
