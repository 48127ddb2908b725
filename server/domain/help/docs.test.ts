// Addresses of the docs in the console, where their links lead, and what a search finds in them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  docAddress,
  docLink,
  glossary,
  headingsOf,
  pagesAt,
  wordAnchor,
  wordsOf,
} from "@/server/domain/help/docs";
import { helpOfPage } from "@/server/domain/help/help-of-page";
import { pages } from "@/server/domain/console/routes";
import { cleaningPages, settingsPages } from "@/server/domain/console/subpages";
import { anchorsOf, linksOf } from "@/scripts/checks/markdown.mjs";

const text = (page: string) => readFileSync(join("docs", `${page}.md`), "utf8");

describe("an address", () => {
  it.each([
    ["README", "/help"],
    ["cleaning", "/help/cleaning"],
    ["assurance/README", "/help/assurance"],
    ["adr/0010-demo-sites", "/help/adr/0010-demo-sites"],
  ])("of %s is %s, and leads back to it", (page, address) => {
    expect(docAddress(page)).toBe(address);
    expect(pagesAt(address.split("/").slice(2))).toContain(page);
  });

  it.each([
    [["..", "README"]],
    [["a", ".env"]],
    [["%2e%2e"]],
    [[""]],
    [["a\0"]],
    [["a/b"]],
    [["a".repeat(300)]],
  ])("%j is no page", (segments) => {
    expect(pagesAt(segments)).toEqual([]);
  });
});

describe("a link", () => {
  it.each([
    ["cleaning", "lifecycle.md#gates", { kind: "help", href: "/help/lifecycle#gates" }],
    ["cleaning", "#hold", { kind: "help", href: "/help/cleaning#hold" }],
    ["assurance/proof", "../security.md", { kind: "help", href: "/help/security" }],
    ["assurance/proof", "README.md#two-people", { kind: "help", href: "/help/assurance#two-people" }],
    ["README", "adr/", { kind: "repository", path: "docs/adr/" }],
    ["cleaning", "../prisma/schema.prisma", { kind: "repository", path: "prisma/schema.prisma" }],
    ["hardware", "https://example.com/x", { kind: "elsewhere", href: "https://example.com/x" }],
  ] as const)("of %s to %s", (page, target, expected) => {
    expect(docLink(page, target)).toEqual(expected);
  });

  it("on the list of docs leads to a page that is there, or out of the docs", () => {
    for (const { target } of linksOf(text("README"))) {
      const link = docLink("README", target);
      if (link.kind !== "help") continue;
      const pages = pagesAt(new URL(link.href, "http://localhost").pathname.split("/").slice(2));
      expect(
        pages.some((page) => existsSync(join("docs", `${page}.md`))),
        target,
      ).toBe(true);
    }
  });
});

describe("a page of the console", () => {
  it("has help that is there, with its section", () => {
    const paths = [
      ...Object.values(pages).map(({ href }) => href),
      ...[...cleaningPages, ...settingsPages].map(({ href }) => href),
    ];
    for (const path of paths) {
      const url = new URL(helpOfPage(path), "http://localhost");
      const page = pagesAt(url.pathname.split("/").slice(2)).find((one) =>
        existsSync(join("docs", `${one}.md`)),
      );
      if (page === undefined) throw new Error(`${path} leads to ${url.pathname}`);
      if (url.hash !== "") expect([...anchorsOf(text(page))]).toContain(url.hash.slice(1));
    }
  });

  it("has its own help before that of the page above it, and else the list of all", () => {
    expect(helpOfPage("/hosts/vela-0001")).toBe("/help/lifecycle");
    expect(helpOfPage("/cleaning/queue")).toBe("/help/cleaning#admission");
    expect(helpOfPage("/cleaning/runbooks/new")).toBe("/help/cleaning");
    expect(helpOfPage("/")).toBe("/help");
  });
});

describe("what a search finds", () => {
  it("is headings without formatting, and none in code", () => {
    expect(headingsOf("# A `b` [c](d.md)\n```\n# no\n```\n## **E** #\n")).toEqual([
      { level: 1, words: "A b c" },
      { level: 2, words: "E" },
    ]);
  });

  it("is each word of the glossary, once", () => {
    const words = wordsOf(text(glossary));
    expect(words).toEqual(expect.arrayContaining(["brake", "BOSS", "certificate", "ticket"]));
    expect(new Set(words.map(wordAnchor)).size).toBe(words.length);
  });
});
