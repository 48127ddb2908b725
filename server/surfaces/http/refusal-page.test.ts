// A page is for a browser that opens an address, not for a program that takes anything.
import { expect, it } from "vitest";
import { wantsPage } from "@/server/surfaces/http/refusal-page";

it.each([
  ["GET", "text/html,application/xhtml+xml,*/*;q=0.8", true],
  ["GET", "application/xml;q=0.9, TEXT/HTML;q=0.8", true],
  ["GET", "*/*", false],
  ["GET", "application/json", false],
  ["GET", undefined, false],
  ["POST", "text/html", false],
])("%s that accepts %s: %s", (method, accept, wanted) => {
  expect(wantsPage({ method, headers: accept === undefined ? {} : { accept } })).toBe(wanted);
});
