// What a BMC's report adds up to.
import { describe, expect, it } from "vitest";
import {
  bmcChecks,
  bmcCheckNames,
  checkStatuses,
  reportText,
  treeCheckNames,
  verdictOf,
  type BmcCheckName,
  type CheckStatus,
} from "@/server/domain/hardware/bmc-report";

const all = (status: CheckStatus, but: Partial<Record<BmcCheckName, CheckStatus>> = {}) =>
  bmcCheckNames.map((check) => ({ check, status: but[check] ?? status }));

describe("the verdict", () => {
  it.each(bmcCheckNames.filter((name) => bmcChecks[name].isNeeded))("works only if %s has passed", (name) => {
    for (const status of checkStatuses)
      expect({ status, verdict: verdictOf(all("passed", { [name]: status })) }).toEqual({
        status,
        verdict:
          status === "passed"
            ? "works"
            : status === "failed" || status === "notOffered"
              ? "doesNotWork"
              : "notKnown",
      });
    expect(verdictOf(all("passed").filter(({ check }) => check !== name))).toBe("notKnown");
  });

  it("does without what is not needed", () => {
    const others = bmcCheckNames.filter((name) => !bmcChecks[name].isNeeded);
    for (const status of checkStatuses)
      expect(verdictOf(all("passed", Object.fromEntries(others.map((name) => [name, status]))))).toBe(
        "works",
      );
  });

  it("of no check is not known", () => expect(verdictOf([])).toBe("notKnown"));

  it("of a tree asks for no connection", () => {
    expect(treeCheckNames).not.toContain("tls");
    expect(
      verdictOf(
        all("passed").filter(({ check }) => treeCheckNames.includes(check)),
        treeCheckNames,
      ),
    ).toBe("works");
  });
});

it("is text with a line per check", () =>
  expect(
    reportText("gpu-1", [
      {
        check: "port",
        status: "failed",
        says: "Port 443 accepts no connection.",
        todo: "Repair the network.",
      },
      { check: "tls", status: "notMade", says: "It needs Port, which has not passed.", todo: null },
    ]),
  ).toBe(
    "gpu-1\nPort: failed. Port 443 accepts no connection. Repair the network.\nTLS: not made. It needs Port, which has not passed.",
  ));
