// Which outgoing addresses are allowed, as a table.
import { describe, expect, it } from "vitest";
import { checkBmcAddress, checkWebhookAddress } from "@/server/hardware/bmc-address";

const site = ["10.20.0.0/16", "fd00:20::/32"];
const everything = ["0.0.0.0/0", "::/0"];

describe("checkBmcAddress", () => {
  it.each<[string, readonly string[], boolean]>([
    ["10.20.1.1", site, true],
    ["10.21.1.1", site, false],
    ["fd00:20::1", site, true],
    ["fd00:21::1", site, false],
    ["::ffff:10.20.1.1", site, true],
    ["::ffff:a14:101", site, true],
    ["::ffff:10.21.1.1", site, false],
    ["8.8.8.8", site, false],
    ["8.8.8.8", everything, true],
    ["10.20.1.1", [], false],
    ["127.0.0.1", [], false],
    ["127.0.0.1", ["loopback"], true],
    ["127.9.9.9", ["loopback"], true],
    ["::1", ["loopback"], true],
    ["0:0:0:0:0:0:0:1", ["loopback"], true],
    ["::ffff:127.0.0.1", ["loopback"], true],
    ["127.0.0.1", everything, false],
    ["127.0.0.1", ["127.0.0.0/8"], false],
    ["::1", everything, false],
    ["::ffff:7f00:1", everything, false],
    ["10.20.1.1", ["loopback"], false],
    ["169.254.169.254", everything, false],
    ["169.254.169.254", ["169.254.0.0/16", "loopback"], false],
    ["::ffff:169.254.169.254", everything, false],
    ["fe80::1", everything, false],
    ["fe80::1%eth0", everything, false],
    ["0.0.0.0", everything, false],
    ["::", everything, false],
    ["224.0.0.1", everything, false],
    ["ff02::1", everything, false],
    ["255.255.255.255", everything, false],
    ["bmc.example", everything, false],
    ["", everything, false],
    ["10.20.1", everything, false],
  ])("%s with %j: %s", (address, networks, allowed) => {
    expect(checkBmcAddress(address, networks).ok).toBe(allowed);
  });

  it("says why", () => {
    expect(checkBmcAddress("10.21.1.1", site)).toEqual({
      ok: false,
      reason:
        "10.21.1.1 is in no network of the server's setting RECLAIM_BMC_NETWORKS. To allow it, add its network there and restart the server",
    });
    expect(checkBmcAddress("127.0.0.1", site)).toEqual({
      ok: false,
      reason:
        "127.0.0.1 is loopback, this machine itself. To allow it, start the server with RECLAIM_BMC_NETWORKS=10.20.0.0/16,fd00:20::/32,loopback",
    });
    expect(checkBmcAddress("169.254.1.1", site)).toEqual({ ok: false, reason: "169.254.1.1 is link-local" });
  });

  it("refuses a list that is no network", () => {
    expect(() => checkBmcAddress("10.0.0.1", ["10.0.0.0"])).toThrow(/CIDR/);
  });
});

describe("checkWebhookAddress", () => {
  it.each<[string, readonly string[], boolean]>([
    ["8.8.8.8", [], true],
    ["2606:4700::1", [], true],
    ["10.0.0.1", [], false],
    ["10.0.0.1", ["10.0.0.0/24"], true],
    ["192.168.1.1", ["10.0.0.0/24"], false],
    ["172.16.0.1", [], false],
    ["100.64.0.1", [], false],
    ["fd00::1", [], false],
    ["127.0.0.1", [], false],
    ["127.0.0.1", ["loopback"], true],
    ["169.254.169.254", ["169.254.0.0/16"], false],
    ["64:ff9b::a9fe:a9fe", [], false],
    ["64:ff9b:1::a00:1", [], false],
    ["240.0.0.1", [], false],
    ["nonsense", [], false],
  ])("%s with %j: %s", (address, networks, allowed) => {
    expect(checkWebhookAddress(address, networks).ok).toBe(allowed);
  });
});
