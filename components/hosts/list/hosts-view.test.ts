// A view of hosts survives a round trip through the URL.
import { describe, expect, it } from "vitest";
import {
  hostsViewHref,
  landingFilter,
  parseHostsView,
  savedViewHref,
  type HostsView,
} from "@/components/hosts/list/hosts-view";

const read = (href: string) => parseHostsView(new URL(href, "http://console").searchParams);

describe("the URL of a hosts view", () => {
  it.each<HostsView>([
    { filter: "", sorting: { id: "since", descending: true }, hidden: new Set(), byCause: false },
    {
      filter: "state:Failed cause:nvme site:a text & more",
      sorting: { id: "name", descending: false },
      hidden: new Set(["sku", "lastReady"]),
      byCause: true,
    },
    {
      filter: "sla:over",
      sorting: { id: "lastReady", descending: true },
      hidden: new Set(["tenant"]),
      byCause: false,
    },
  ])("keeps $filter", (view) => expect(read(hostsViewHref(view))).toEqual(view));

  it("says that it is of all hosts, because a bare address leads to those that need attention", () =>
    expect(hostsViewHref(read("/hosts"))).toBe("/hosts?q="));
  it("leaves out what it does not understand", () =>
    expect(read("/hosts?sort=-colour&hide=sku,nothing")).toEqual({
      filter: "",
      sorting: { id: "since", descending: true },
      hidden: new Set(["sku"]),
      byCause: false,
    }));
});

describe("a saved view", () => {
  const view = { filter: "site:a", sort: "name", hide: [] };
  it("opens by cause where it was saved so", () => {
    expect(savedViewHref({ ...view, group: "cause" })).toBe("/hosts?q=site%3Aa&sort=name&group=cause");
    expect(savedViewHref({ ...view, group: null })).toBe("/hosts?q=site%3Aa&sort=name");
  });
});

describe("an address without parameters", () => {
  const views = (count: number) => [
    { name: "needPerson" as const, filter: "is:needPerson", count },
    { name: "all" as const, filter: "", count: 40 },
  ];
  const landing = (search: string, count: number) => landingFilter(new URLSearchParams(search), views(count));
  it("leads to the hosts that need attention, when there are any", () => {
    expect(landing("", 2)).toBe("is:needPerson");
    expect(landing("", 0)).toBeNull();
  });
  it.each(["q=", "q=site:a", "sort=name", "hide=sku"])("stays as asked with %s", (search) =>
    expect(landing(search, 2)).toBeNull(),
  );
});
