// The serial of a host: the one its BMC reports, or the one given by hand if the BMC reports none.
import { describe, expect, it } from "vitest";
import { serialOf, unexpected } from "@/server/domain/hosts/enrolment/expected-identity";

describe("the serial of a host", () => {
  it.each([
    ["what the BMC says", { serial: null, expectedSerial: null }, "A", "A"],
    ["what the BMC says, whatever was given", { serial: null, expectedSerial: "B" }, "A", "A"],
    ["what was given, of a BMC that says none", { serial: null, expectedSerial: "B" }, " ", "B"],
    ["what was given before, of a host that is known by it", { serial: "B", expectedSerial: "B" }, "", "B"],
    [
      "what a host of 0.2.0 is known by, if it is a placeholder",
      { serial: "Default string", expectedSerial: null },
      "",
      "Default string",
    ],
    ["none where none was given", { serial: null, expectedSerial: null }, "", ""],
    ["none of a host that is known by what its BMC said", { serial: "A", expectedSerial: null }, "", ""],
    ["none of a host that is known by another", { serial: "A", expectedSerial: "B" }, "", ""],
  ])("is %s", (_what, host, found, serial) => {
    expect(serialOf(host, found)).toBe(serial);
  });
});

const expecting = (expectedSystemUuid: string) => ({
  expectedSerial: null,
  expectedSystemUuid,
  confirmed: { serials: [], systemUuids: [] },
});

it("expects no UUID that many boards have", () => {
  const uuids = ["03000200-0400-0500-0006-000700080009", "5f0f6d3a-6a3a-4b0e-9a53-0a64b9a2f002"] as const;
  const said = uuids.map((uuid) => unexpected(expecting(uuid), { serial: "S", systemUuid: "" }));
  expect(said).toEqual([null, expect.stringContaining("was expected")]);
});
