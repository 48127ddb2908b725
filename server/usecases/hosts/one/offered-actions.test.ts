// Which actions a page offers to whom, and for what reason not.
import { describe, expect, it } from "vitest";
import { noMaintenance } from "@/server/domain/hosts/action-refusal";
import { hostActionNames } from "@/server/domain/hosts/host-actions";
import { quietFacts } from "@/server/domain/lifecycle/intents";
import { offeredActions, withoutDisposition } from "@/server/usecases/hosts/one/offered-actions";

const manageable = quietFacts("Manageable");

describe("the actions that a page offers", () => {
  it("are those that the role may ever do, each with the reason where it may not now", () => {
    const actions = offeredActions(hostActionNames, "operator", manageable, noMaintenance);
    const [retry] = actions.filter(({ intent }) => intent === "retry");
    expect(retry).toMatchObject({ allowed: false });
    expect(retry?.reason).not.toBeNull();
    expect(actions.every(({ allowed, reason }) => allowed === (reason === null))).toBe(true);
  });

  it("are none for a role that may do nothing to a host", () => {
    expect(offeredActions(hostActionNames, "auditor", manageable, noMaintenance)).toEqual([]);
  });

  it("record no disposition where every drive is there", () => {
    const actions = offeredActions(["disposeDrive"], "operator", manageable, noMaintenance);
    expect(actions).toMatchObject([{ intent: "disposeDrive", allowed: true }]);
    expect(withoutDisposition(actions)).toMatchObject([{ allowed: false }]);
    const inUse = offeredActions(
      ["disposeDrive"],
      "operator",
      { ...manageable, state: "Ready" },
      noMaintenance,
    );
    expect(withoutDisposition(inUse)).toEqual(inUse);
  });
});
