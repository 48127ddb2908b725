// Who may take which host and when, as a table, and the fence of every write.
import { describe, expect, it } from "vitest";
import { allStates, isFailed } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { leaseRefusal, leaseState, leaseText, ticketText } from "@/server/domain/repair/leases/lease";
import type { LeaseFacts } from "@/server/domain/repair/leases/lease";

const facts = (state: State, changes: Partial<LeaseFacts> = {}): LeaseFacts => ({
  state,
  leasedTo: null,
  instanceOpen: false,
  machine: true,
  maintenance: false,
  allocatable: false,
  atWork: false,
  erasing: false,
  busy: false,
  owes: false,
  ...changes,
});
const system = { kind: "system" } as const;
const person = { kind: "person", mayHoldData: false } as const;
const careful = { kind: "person", mayHoldData: true } as const;

const clean: readonly State[] = [
  "Ready",
  "ReturnToAllocation/AwaitingHealth",
  "ReturnToAllocation/AwaitingRepair",
];

describe("in each state", () => {
  it.each(allStates())("%s", (state) => {
    const isClean = clean.includes(state);
    expect(leaseRefusal(facts(state), system) === null).toBe(isClean);
    expect(leaseRefusal(facts(state), person) === null).toBe(isClean);
    expect(leaseRefusal(facts(state), careful) === null).toBe(isClean || state === "Manageable");
    if (isFailed(state)) expect(leaseRefusal(facts(state), careful)).toMatch(/to Manageable before/);
  });
});

describe.each(clean)("in %s", (state) => {
  it.each<[string, Partial<LeaseFacts>, RegExp]>([
    ["another has it", { leasedTo: "fixit" }, /has the host/],
    ["it has no machine", { machine: false }, /no machine/],
    ["a tenant has it", { instanceOpen: true }, /An instance is on the host/],
    ["a drive may be erasing", { erasing: true }, /An erase/],
    ["something is under way", { busy: true }, /few seconds/],
  ])("nobody takes it where %s", (_, changes, words) => {
    for (const by of [system, person, careful])
      expect(leaseRefusal(facts(state, changes), by)).toMatch(words);
  });

  it.each<[string, Partial<LeaseFacts>, RegExp]>([
    ["it can be allocated", { allocatable: true }, /can be allocated/],
    ["it is in maintenance", { maintenance: true }, /provider is working/],
    ["an alert says that somebody works on it", { atWork: true }, /provider is working/],
  ])("only a person hands it over where %s", (_, changes, words) => {
    expect(leaseRefusal(facts(state, changes), system)).toMatch(words);
    expect(leaseRefusal(facts(state, changes), person)).toBeNull();
  });

  it("only a person who says so hands over drives that may hold data", () => {
    for (const by of [system, person])
      expect(leaseRefusal(facts(state, { owes: true }), by)).toMatch(/tenant's data/);
    expect(leaseRefusal(facts(state, { owes: true }), careful)).toBeNull();
  });
});

it("who has the host is said to people, and to no system", () => {
  expect(leaseRefusal(facts("Ready", { leasedTo: "fixit" }), person)).toContain("fixit");
  expect(leaseRefusal(facts("Ready", { leasedTo: "fixit" }), system)).not.toContain("fixit");
});

it("a lease past its time is overdue, and never ends by itself", () => {
  const until = new Date(1_000);
  expect(leaseState({ until, endedAt: null }, 1_000)).toBe("open");
  expect(leaseState({ until, endedAt: null }, 1_001)).toBe("overdue");
  expect(leaseState({ until: null, endedAt: null }, 1e15)).toBe("open");
  expect(leaseState({ until, endedAt: new Date(2_000) }, 3_000)).toBe("ended");
});

it("texts are of one line, and not without end", () => {
  for (const schema of [leaseText, ticketText]) {
    expect(schema.safeParse(" RMA 4711 ").data).toBe("RMA 4711");
    for (const text of ["", " ", "a\u0000", "a\nb", "x".repeat(501)])
      expect(schema.safeParse(text).success).toBe(false);
  }
});
