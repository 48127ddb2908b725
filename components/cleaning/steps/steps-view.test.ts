// Parsing and formatting of the catalogue's URL.
import { describe, expect, it } from "vitest";
import { parseStepsView, stepsHref, type StepsView } from "@/components/cleaning/steps/steps-view";

const sites = [{ id: "s1", name: "a", hosts: 1, automatedClean: true, policyVersion: 1 }];
const parse = (href: string) => parseStepsView(new URL(href, "http://console").searchParams, { sites });

describe("the address of the catalogue", () => {
  it.each([
    ["/cleaning?site=s2", { kind: "site", siteId: "s2" }],
    ["/cleaning?sku=k", { kind: "sku", skuId: "k" }],
    ["/cleaning?sku=k&site=s2", { kind: "sku", skuId: "k", siteId: "s2" }],
    ["/cleaning?host=gpu-a-001", { kind: "host", host: "gpu-a-001" }],
    ["/cleaning?hardware=redfish&site=s2", { kind: "hardwareType", hardwareType: "redfish", siteId: "s2" }],
  ] satisfies readonly (readonly [string, StepsView])[])("%s", (href, view) => {
    expect(parse(href)).toEqual(view);
    expect(stepsHref(view)).toBe(href);
  });

  it("without anything is the first site", () => {
    expect(parse("/cleaning")).toEqual({ kind: "site", siteId: "s1" });
    expect(parseStepsView(new URLSearchParams(), { sites: [] })).toBeNull();
  });
});
