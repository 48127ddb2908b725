// Every page has its own key, and is listed for those who may open it.
import { expect, it } from "vitest";
import { pageNames, pages } from "@/server/domain/console/routes";
import { cleaningPages, placesOf, settingsPages } from "@/server/domain/console/subpages";

const all = placesOf(pageNames, () => true);

it("no two pages share a key or an address", () => {
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  expect(new Set(all.map(({ href }) => href)).size).toBe(all.length);
});

it("every tab is found", () => {
  const found = new Set(all.map(({ href }) => href));
  for (const { href } of [...cleaningPages, ...settingsPages]) expect(found).toContain(href);
});

it("only what the person may open", () => {
  expect(placesOf(["instances"], () => false)).toEqual([
    pages.instances,
    { href: "/account", words: "Account", key: "d" },
    { href: "/help", words: "Help", key: "H" },
  ]);
  expect(placesOf(["cleaning"], () => false).map(({ words }) => words)).not.toContain(
    "Cleaning: Manual cleaning",
  );
});
