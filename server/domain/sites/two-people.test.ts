// Which changes to a site need two people, and which do not.
import { describe, expect, it } from "vitest";
import { contract } from "@/server/contract/contract";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import { formatChange } from "@/server/domain/sites/difference";
import type { SiteDocument } from "@/server/domain/sites/document";
import {
  askingActions,
  changesForTwo,
  documentDigest,
  isAskingAction,
  proposedDigest,
  standingDigest,
  switchOnRefusal,
} from "@/server/domain/sites/two-people";
import type { SiteStanding } from "@/server/domain/sites/two-people";

const document: SiteDocument = {
  format: 1,
  site: "a",
  policy: defaultPolicy(),
  bmcTrust: "pinOrAuthority",
  priorities: {},
  networkController: { url: "https://network.test", token: { stored: true } },
  skus: [{ name: "R750", components: skuComponents, priorities: {} }],
  tenants: [],
};
const standing: SiteStanding = {
  siteId: "0190aaaa-0000-7000-8000-00000000000a",
  document,
  networkToken: "a1",
  acknowledgementTokens: ["b1", "b2"],
  unreadable: ["old"],
  leftOut: [{ host: "gpu-2", setting: "automatedClean" }],
};
const with_ = (over: Partial<SiteDocument>, rest: Partial<SiteStanding> = {}): SiteStanding => ({
  ...standing,
  ...rest,
  document: { ...document, ...over },
});
const words = (after: SiteStanding) => changesForTwo(standing, after).map(formatChange);

describe("what needs two people", () => {
  it.each<[string, SiteStanding]>([
    ["policy", with_({ policy: { ...defaultPolicy(), automatedClean: false } })],
    ["policy.changesNeedApproval", with_({ policy: { ...defaultPolicy(), changesNeedApproval: true } })],
    ["priorities", with_({ priorities: { "deploy.erase_nvme": 0 } })],
    [
      "networkController.url",
      with_({ networkController: { url: "https://x.test", token: { stored: true } } }),
    ],
    ["networkController.token", with_({}, { networkToken: "a2" })],
    ["networkController.acknowledgementToken", with_({}, { acknowledgementTokens: ["b1"] })],
    ["bmcTrust", with_({ bmcTrust: "pin" })],
    ["authorities", with_({ authorities: { lab: { usedFor: ["bmc"], pem: "x" } } })],
    [
      "agentImage",
      with_({
        agentImage: { version: "2", url: "https://i.test", sha256: null, signed: false, kind: "reclaim" },
      }),
    ],
    ["skus", with_({ skus: [] })],
    [
      "hosts.gpu-1.automatedClean",
      with_({}, { leftOut: [...standing.leftOut, { host: "gpu-1", setting: "automatedClean" }] }),
    ],
    [
      "hosts.gpu-2.deploy.erase_nvme",
      with_({}, { leftOut: [...standing.leftOut, { host: "gpu-2", setting: "deploy.erase_nvme" }] }),
    ],
    ["skus.old", with_({}, { unreadable: [] })],
  ])("%s", (path, after) => {
    expect(words(after)).not.toEqual([]);
    for (const change of words(after)) expect(change.startsWith(path)).toBe(true);
    expect(standingDigest(after)).not.toBe(standingDigest(standing));
  });
  it.each<[string, SiteStanding]>([
    ["nothing", standing],
    [
      "tenants",
      with_({
        tenants: [
          {
            org: "acme",
            name: "Acme",
            networkAllocation: true,
            targetedInstanceCreation: false,
            instanceQuota: 3,
          },
        ],
      }),
    ],
    ["BMC credentials", with_({ bmcCredentials: { lab: { username: "root", password: { stored: true } } } })],
    ["the order of tokens", with_({}, { acknowledgementTokens: ["b2", "b1"] })],
  ])("not %s", (_what, after) => {
    expect(words(after)).toEqual([]);
    expect(standingDigest(after)).toBe(standingDigest(standing));
    expect(documentDigest(after.document)).toBe(documentDigest(document));
  });
});

it("needs one person to clean a host again", () => {
  const after = with_({}, { leftOut: [] });
  expect(words(after)).toEqual([]);
  expect(standingDigest(after)).not.toBe(standingDigest(standing));
  expect(proposedDigest(after, null)).not.toBe(proposedDigest(standing, null));
});

it.each([
  [0, "no provider admin"],
  [1, "only one provider admin"],
])("is not switched on where %i could approve", (people, said) => {
  expect(switchOnRefusal(people, null)).toContain(said);
});
it("is switched on where two could approve", () => {
  expect(switchOnRefusal(2, null)).toBeNull();
  expect(switchOnRefusal(2, "9.1")).toContain("agent image 9.1");
});

/** Actions with a right to change settings that need no second person, and why. */
const byOne: Readonly<Record<string, string>> = {
  "image.widen": "goes on with an image that was added",
  "image.makeCurrent": "goes on with an image that was added",
  "attestation.promote": "counts once another person approved it",
  "attestation.demote": "takes trust away, and gives none",
  "rollout.start": "counts once another person approved it",
  "rollout.resume": "goes on with what another person approved",
  "rollout.advance": "goes on with what another person approved",
  "policyChange.withdraw": "takes back what was asked for",
  "healthSource.add": "no part of the document: who reports, not what is required",
  "healthSource.replaceToken": "no part of the document",
  "healthSource.remove": "no part of the document",
  "repairSystem.add": "no part of the document: a host that was leased proves itself again",
  "repairSystem.renew": "no part of the document",
  "repairSystem.remove": "no part of the document",
};
const settingRights = ["site.apply", "cleaning.override", "image.rollOut", "sku.write"];

it("covers every act by which settings are changed", () => {
  const acts = Object.values(contract)
    .flatMap((operations) => Object.values(operations))
    .flatMap((operation) => (operation.kind === "act" ? [operation] : []));
  const found = acts.filter(({ right }) => settingRights.includes(right)).map(({ action }) => action);
  expect(found.filter((action) => !isAskingAction(action) && !(action in byOne))).toEqual([]);
  for (const action of askingActions) expect(found).toContain(action);
});
