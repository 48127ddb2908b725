// Parsing and formatting of the builder's URL.
import { describe, expect, it } from "vitest";
import { manualHref, parseManualView, type ManualView } from "@/components/cleaning/manual/manual-view";

const views: readonly (readonly [string, ManualView])[] = [
  ["/cleaning/manual", { target: { kind: "none" }, runbookId: null }],
  ["/cleaning/manual?hosts=gpu-a-001", { target: { kind: "one", host: "gpu-a-001" }, runbookId: null }],
  [
    "/cleaning/manual?hosts=a%2Cb&runbook=r",
    { target: { kind: "many", hostIds: ["a", "b"] }, runbookId: "r" },
  ],
  [
    "/cleaning/manual?filter=state%3AFailed+site%3Aa",
    { target: { kind: "filter", filter: "state:Failed site:a" }, runbookId: null },
  ],
  ["/cleaning/manual?filter=", { target: { kind: "filter", filter: "" }, runbookId: null }],
];

describe("the address of the builder", () => {
  it.each(views)("%s", (href, view) => {
    expect(manualHref(view)).toBe(href);
    expect(parseManualView(new URL(href, "http://console").searchParams)).toEqual(view);
  });
});
