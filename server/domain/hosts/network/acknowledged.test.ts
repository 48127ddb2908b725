// Whether every interface has the requested network: this version, this configuration, and no services left.
import { describe, expect, it } from "vitest";
import { acknowledged } from "@/server/domain/hosts/network/acknowledged";
import type { NetworkAck } from "@/server/domain/hosts/record/host";
import type { NetworkAcks } from "@/server/domain/hosts/network/acknowledged";

const wanted = {
  host: "h",
  version: 4,
  network: "admin" as const,
  tenant: null,
  interfaces: ["dpu0", "nic1"],
  extensionServices: false,
};
const ack = (name: string, changes: Partial<NetworkAck> = {}): NetworkAck => ({
  interface: name,
  version: 4,
  sha256: "s",
  extensionServices: "terminated",
  ...changes,
});
const all: NetworkAcks = {
  wanted,
  sha256: "s",
  acks: [ack("dpu0"), ack("nic1", { extensionServices: "none" })],
};

describe("a network", () => {
  it("is acknowledged by every interface that it was asked of", () => {
    expect(acknowledged(all, "admin")).toEqual({ done: true });
    expect(acknowledged({ ...all, acks: [...all.acks, ack("other", { version: 9 })] }, "admin")).toEqual({
      done: true,
    });
  });

  it.each<[string, NetworkAcks, RegExp]>([
    ["nothing was asked for", { ...all, wanted: null }, /the admin network was not requested/],
    [
      "another was asked for",
      { ...all, wanted: { ...wanted, network: "quarantine" } },
      /the admin network was not requested/,
    ],
    ["the controller has not taken it", { ...all, sha256: null }, /has not accepted version 4/],
    [
      "an interface is silent",
      { ...all, acks: [ack("nic1")] },
      /1 of 2 interfaces acknowledged version 4; waiting for dpu0/,
    ],
    [
      "an interface is on an older version",
      { ...all, acks: [ack("dpu0", { version: 3 }), ack("nic1")] },
      /waiting for dpu0/,
    ],
    [
      "an interface applied something else",
      { ...all, acks: [ack("dpu0", { sha256: "t" }), ack("nic1")] },
      /waiting for dpu0/,
    ],
    ["another interface speaks for it", { ...all, acks: [ack("dpu1"), ack("nic1")] }, /waiting for dpu0/],
    [
      "extension services run",
      { ...all, acks: [ack("dpu0", { extensionServices: "running" }), ack("nic1")] },
      /still run on dpu0/,
    ],
  ])("is not when %s", (_what, network, reason) => {
    const state = acknowledged(network, "admin");
    expect(state.done ? "" : state.reason).toMatch(reason);
  });

  it("of a tenant may have the tenant's services", () => {
    expect(
      acknowledged(
        {
          wanted: { ...wanted, network: "tenant" },
          sha256: "s",
          acks: ["dpu0", "nic1"].map((name) => ack(name, { extensionServices: "running" })),
        },
        "tenant",
      ),
    ).toEqual({ done: true });
  });
});
