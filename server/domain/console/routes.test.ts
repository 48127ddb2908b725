// Each path as it appears in the browser's address bar.
import { describe, expect, it } from "vitest";
import { isBelow, routes } from "@/server/domain/console/routes";

describe("routes", () => {
  it.each([
    [routes.signIn(), "/signin"],
    [routes.signIn({ next: "/" }), "/signin"],
    [routes.signIn({ next: "/hosts?q=a b", ended: true }), "/signin?ended=1&next=%2Fhosts%3Fq%3Da+b"],
    [routes.hosts(), "/hosts"],
    [routes.hosts({ q: "" }), "/hosts?q="],
    [
      routes.hosts({ q: "state:Ready", sort: "-name", hide: ["sku"] }),
      "/hosts?q=state%3AReady&sort=-name&hide=sku",
    ],
    [routes.host("a b/c"), "/hosts/a%20b%2Fc"],
    [routes.host("a", { tab: "reclamation" }), "/hosts/a"],
    [routes.host("a", { tab: "gates", reclamation: "r" }), "/hosts/a?tab=gates&reclamation=r"],
    [routes.instances({ show: "open" }), "/instances"],
    [routes.instances({ show: "all", open: "i" }), "/instances?show=all&open=i"],
    [routes.cleaning.steps({ sku: "k", site: "s" }), "/cleaning?sku=k&site=s"],
    [routes.cleaning.manual({ hosts: ["a", "b"], runbook: "r" }), "/cleaning/manual?hosts=a%2Cb&runbook=r"],
    [routes.cleaning.manual({ filter: "" }), "/cleaning/manual?filter="],
    [routes.cleaning.run("r"), "/cleaning/runs/r"],
    [routes.cleaning.run("r", { show: "failed" }), "/cleaning/runs/r?show=failed"],
  ])("%s", (built, path) => expect(built).toBe(path));

  it("tells what lies below what", () => {
    expect(isBelow("/", "/hosts")).toBe(false);
    expect(isBelow("/", "/")).toBe(true);
    expect(isBelow("/hosts", "/hosts/a")).toBe(true);
    expect(isBelow("/hosts", "/hostsx")).toBe(false);
  });
});
