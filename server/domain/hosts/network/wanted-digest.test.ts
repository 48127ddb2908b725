// The digest depends only on what is wanted.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { NetworkWanted } from "@/server/domain/hosts/network/network-protocol";
import { canonicalWanted, wantedDigest } from "@/server/domain/hosts/network/wanted-digest";

const wanted: NetworkWanted = {
  host: "h1",
  version: 7,
  network: "admin",
  tenant: null,
  interfaces: ["dpu-0", "dpu-1"],
  extensionServices: false,
};

describe("wantedDigest", () => {
  it("hashes keys in order, without white space", () => {
    const text =
      '{"extensionServices":false,"host":"h1","interfaces":["dpu-0","dpu-1"],"network":"admin","tenant":null,"version":7}';
    expect(canonicalWanted(wanted)).toBe(text);
    expect(wantedDigest(wanted)).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("does not depend on the order of keys", () => {
    const reordered: NetworkWanted = {
      extensionServices: false,
      interfaces: ["dpu-0", "dpu-1"],
      tenant: null,
      version: 7,
      network: "admin",
      host: "h1",
    };
    expect(wantedDigest(reordered)).toBe(wantedDigest(wanted));
  });

  it.each<[string, Partial<NetworkWanted>]>([
    ["version", { version: 8 }],
    ["network", { network: "quarantine" }],
    ["tenant", { tenant: "t1" }],
    ["interfaces", { interfaces: ["dpu-1", "dpu-0"] }],
    ["services", { extensionServices: true }],
    ["host", { host: "h2" }],
  ])("changes with %s", (_name, change) => {
    expect(wantedDigest({ ...wanted, ...change })).not.toBe(wantedDigest(wanted));
  });
});
