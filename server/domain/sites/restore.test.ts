// What restoring a version brings back, and what it reports as not restored.
import { describe, expect, it } from "vitest";
import { restorationOf } from "@/server/domain/sites/restore";
import { completed, siteDocument } from "@/server/domain/sites/document";

const document = (parts: object = {}) => siteDocument.parse(completed({ format: 1, site: "a", ...parts }));
const stored = { stored: true } as const;
const controller = (url: string, acknowledges = false) => ({
  networkController: {
    url,
    token: stored,
    ...(acknowledges ? { acknowledgementToken: stored } : {}),
  },
});
const image = (version: string) => ({ agentImage: { version, url: `https://images.test/${version}` } });
const tenant = (org: string) => ({ tenants: [{ org, name: org }] });

describe("a restoration", () => {
  it("brings back the policy, and says nothing where nothing is kept", () =>
    expect(
      restorationOf(document({ policy: { times: { stateMs: 5 } } }), document(), { shared: false }),
    ).toEqual({ document: document({ policy: { times: { stateMs: 5 } } }), kept: [] }));

  it.each([
    [
      "the address, with the tokens of now",
      controller("https://then.test"),
      controller("https://now.test"),
      {},
      1,
    ],
    ["no controller that has no token any more", controller("https://then.test"), {}, {}, 1],
    ["no controller where there was none", {}, controller("https://now.test"), {}, 0],
    [
      "no acknowledgement token that is gone",
      controller("https://then.test", true),
      controller("https://now.test"),
      {},
      2,
    ],
    ["no agent image", image("1.4.0"), image("1.5.0"), image("1.5.0"), 1],
    ["no agent image where there was none", {}, image("1.5.0"), image("1.5.0"), 1],
    ["the same agent image as now", image("1.5.0"), image("1.5.0"), image("1.5.0"), 0],
  ])("has %s", (_words, then, now, expected, kept) => {
    const restored = restorationOf(document(then), document(now), { shared: false });
    expect(restored.kept).toHaveLength(kept);
    expect(restored.document.agentImage).toEqual(document(expected).agentImage);
    const { networkController } = restored.document;
    expect(networkController?.url).toBe(
      "networkController" in then && "networkController" in now ? "https://then.test" : undefined,
    );
    expect(networkController?.acknowledgementToken).toBeUndefined();
  });

  it("leaves BMC credentials as they are now", () => {
    const sets = (username: string) => ({ bmcCredentials: { lab: { username, password: stored } } });
    const restored = restorationOf(document(sets("then")), document(sets("now")), { shared: false });
    expect(restored.document.bmcCredentials).toEqual(document(sets("now")).bmcCredentials);
    expect(restored.kept).toEqual([expect.stringContaining("no passwords")]);
    expect(restorationOf(document(sets("now")), document(sets("now")), { shared: false }).kept).toEqual([]);
    expect(restorationOf(document(sets("then")), document(), { shared: false }).document).not.toHaveProperty(
      "bmcCredentials",
    );
  });

  it("leaves SKUs and tenants alone and says so, unless they are asked for", () => {
    const [then, now] = [document(tenant("acme")), document(tenant("vela"))];
    const without = restorationOf(then, now, { shared: false });
    expect(without.document.tenants).toBeUndefined();
    expect(without.kept.join()).toContain("belong to all sites");
    const restored = restorationOf(then, now, { shared: true });
    const [acme] = then.tenants ?? [];
    expect(restored).toEqual({
      document: { ...then, tenants: [{ ...acme, networkAllocation: false }] },
      kept: [expect.stringContaining("acme had at this site")],
    });
    expect(restorationOf(then, then, { shared: true })).toEqual({ document: then, kept: [] });
  });

  it("gives no tenant back what was taken from it since", () => {
    const may = (networkAllocation: boolean, targetedInstanceCreation: boolean) =>
      document({ tenants: [{ org: "acme", name: "acme", networkAllocation, targetedInstanceCreation }] });
    const restored = restorationOf(may(true, true), may(true, false), { shared: true });
    expect(restored.document).toEqual(may(true, false));
    expect(restored.kept).toHaveLength(1);
    expect(restorationOf(may(true, true), may(false, true), { shared: true }).document).toEqual(
      may(false, true),
    );
    expect(restorationOf(may(false, false), may(true, true), { shared: true })).toEqual({
      document: may(false, false),
      kept: [],
    });
  });
});
