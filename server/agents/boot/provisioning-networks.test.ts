// Networks of a policy, IPv4 and IPv6, and addresses in the form that sockets report.
import { describe, expect, it } from "vitest";
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";

describe("isProvisioningAddress", () => {
  it.each([
    ["127.0.0.1", ["loopback"]],
    ["::1", ["loopback"]],
    ["::ffff:127.8.0.1", ["loopback"]],
    ["10.20.3.4", ["loopback", "10.20.0.0/16"]],
    ["fd00::5", ["fd00::/8"]],
    ["192.0.2.1", ["192.0.2.1/32"]],
  ])("%s is in %j", (address, networks) => expect(isProvisioningAddress(address, networks)).toBe(true));

  it.each([
    ["10.21.0.1", ["loopback", "10.20.0.0/16"]],
    ["127.0.0.1", ["10.0.0.0/8"]],
    ["::1", ["10.0.0.0/8"]],
    ["fe80::1", ["fd00::/8"]],
    ["", ["loopback"]],
    ["not-an-address", ["0.0.0.0/0"]],
    ["10.0.0.1", []],
  ])("%s is not in %j", (address, networks) => expect(isProvisioningAddress(address, networks)).toBe(false));

  it("does not take a policy that names no networks for one that allows all", () => {
    expect(() => isProvisioningAddress("10.0.0.1", undefined)).toThrow();
    expect(() => isProvisioningAddress("10.0.0.1", ["everywhere"])).toThrow();
  });
});
