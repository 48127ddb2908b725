// What a search left out is said, and a server of the last release does not read as one that found nothing.
import { expect, it } from "vitest";
import { notSearched } from "@/server/domain/console/not-searched";

const all = { acts: [], lists: [], places: [], helpUnread: false };

it("says what was not searched", () => {
  expect(notSearched(all)).toBeNull();
  expect(notSearched({ ...all, helpUnread: true })).toMatch(/^Help was not searched/);
  expect(notSearched({})).toBe(
    "A server that is not upgraded yet answered: actions, lists of hosts, pages, and help were not searched.",
  );
});
