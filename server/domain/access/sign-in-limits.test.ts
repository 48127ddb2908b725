// What counts as one address, and which limits an attempt counts towards.
import { describe, expect, it } from "vitest";
import { addressGroup, limitedSubjects } from "@/server/domain/access/sign-in-limits";

describe("an address", () => {
  it.each([
    ["198.51.100.7", "198.51.100.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:0001:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:ffff::", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["unknown", "unknown"],
  ])("%s counts as %s", (address, group) => expect(addressGroup(address)).toBe(group));
});

describe("an attempt", () => {
  const subjects = (address: string | null, isOwn: boolean, device: string | null = null) =>
    limitedSubjects("a@b.test", { address, isOwn, device }).map(({ subject }) => subject);
  it("in the person's own browser counts against that browser only", () =>
    expect(subjects("10.0.0.1", false, "d1")).toEqual(["device:d1"]));
  it("counts against the name and the address", () =>
    expect(subjects("10.0.0.1", false)).toEqual(["email:a@b.test", "address:10.0.0.1"]));
  it("from the person's own address counts against neither", () =>
    expect(subjects("10.0.0.1", true)).toEqual(["own:10.0.0.1 a@b.test"]));
  it("counts against the name where there is no address", () =>
    expect(subjects(null, true)).toEqual(["email:a@b.test"]));
});
