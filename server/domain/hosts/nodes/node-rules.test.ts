// In which of Ironic's states a node record may be changed and removed, for every state of Reclaim's.
import { describe, expect, it } from "vitest";
import { ironicProvision } from "@/server/domain/lifecycle/ironic-projection";
import { allStates, topLevel } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { changeRefusal, deleteRefusal, driverRefusal } from "@/server/domain/hosts/nodes/node-rules";

const facts = (state: State, change: object = {}) => ({
  provision: ironicProvision(state, {
    pending: [],
    releaseRequested: false,
    instanceOpen: false,
    reclamationOpen: true,
    agentWorking: false,
  }),
  maintenance: false,
  instanceOpen: false,
  protected: false,
  ...change,
});
const quiet: ReadonlySet<State> = new Set(["Enroll", "Manageable", "Ready"]);
const stands = (state: State): boolean =>
  quiet.has(state) || state === "Verifying" || state === "Assigned/Ready" || topLevel(state) === "Failed";

describe("a record", () => {
  it.each(allStates())("in %s is changed only where no transition writes rows of its own", (state) =>
    expect(changeRefusal(facts(state)) === null).toBe(stands(state)),
  );
  it.each(allStates())("in %s gets another driver in a quiet state or maintenance", (state) => {
    expect(driverRefusal(facts(state)) === null).toBe(quiet.has(state));
    expect(driverRefusal(facts(state, { maintenance: true }))).toBeNull();
  });
  it.each(allStates())(
    "in %s is removed in a quiet state or maintenance, and never while it is protected",
    (state) => {
      expect(deleteRefusal(facts(state)) === null).toBe(quiet.has(state));
      expect(deleteRefusal(facts(state, { maintenance: true, instanceOpen: true }))).toBeNull();
      expect(deleteRefusal(facts(state, { maintenance: true, protected: true }))?.kind).toBe("protected");
      expect(deleteRefusal(facts(state, { instanceOpen: true }))?.kind).toBe("instance");
    },
  );
  it("counts what was accepted as begun", () => {
    const provision = ironicProvision("Manageable", {
      pending: ["provide"],
      releaseRequested: false,
      instanceOpen: false,
      reclamationOpen: false,
      agentWorking: false,
    });
    expect(changeRefusal({ provision })).toMatch(/cleaning/);
    expect(deleteRefusal({ ...facts("Manageable"), provision })?.kind).toBe("state");
  });
});
