// Parsing and formatting of the fleet page's URL.
import { expect, it } from "vitest";
import { parseFleetView } from "@/components/fleet/fleet-view";
import { routes } from "@/server/domain/console/routes";

it.each([
  ["/", { hours: 24 }],
  ["/?site=a&sku=R750+xa&tenant=acme&hours=168", { site: "a", sku: "R750 xa", tenant: "acme", hours: 168 }],
  ["/?hours=720", { hours: 720 }],
] as const)("%s", (href, view) => {
  expect(routes.fleet(view)).toBe(href);
  expect(parseFleetView(new URL(href, "http://console").searchParams)).toEqual(view);
});

it("leaves out what it does not understand", () => {
  expect(parseFleetView(new URLSearchParams("site=&hours=7"))).toEqual({ hours: 24 });
});
