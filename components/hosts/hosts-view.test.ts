// A view of hosts survives the way into the URL and back.
import { describe, expect, it } from "vitest";
import { hostsViewHref, parseHostsView, type HostsView } from "@/components/hosts/hosts-view";

const read = (href: string) => parseHostsView(new URL(href, "http://console").searchParams);

describe("the URL of a hosts view", () => {
  it.each<HostsView>([
    { filter: "", sorting: { id: "since", descending: true }, hidden: new Set() },
    {
      filter: "state:Failed cause:nvme site:a text & more",
      sorting: { id: "name", descending: false },
      hidden: new Set(["sku", "lastReady"]),
    },
    { filter: "sla:over", sorting: { id: "lastReady", descending: true }, hidden: new Set(["tenant"]) },
  ])("keeps $filter", (view) => expect(read(hostsViewHref(view))).toEqual(view));

  it("is short for the default", () => expect(hostsViewHref(read("/hosts"))).toBe("/hosts"));
  it("leaves out what it does not understand", () =>
    expect(read("/hosts?sort=-colour&hide=sku,nothing")).toEqual({
      filter: "",
      sorting: { id: "since", descending: true },
      hidden: new Set(["sku"]),
    }));
});
