// The check of links and citations: it accepts what resolves, and names what does not.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCitations, problemsOfPage, problemsOfSource } from "@/scripts/checks/citations.mjs";
import { anchorsOf, codeSpansOf, linksOf } from "@/scripts/checks/markdown.mjs";

const pages = new Map([
  ["README.md", "# Reclaim"],
  ["docs/page.md", "# Page"],
  ["docs/cleaning.md", "# Cleaning\n\n## Abort, hold, resume\n"],
  ["docs/adr/0014-cleaning.md", "# 14. Cleaning"],
  ["server/main.ts", "// Begins."],
]);
const repository = {
  exists: (path: string) => pages.has(path) || path === "docs/adr",
  anchors: (path: string) => anchorsOf(pages.get(path) ?? ""),
  adrs: new Set(["0014"]),
};

describe("anchorsOf", () => {
  it("follows GitHub's rule", () => {
    const text =
      "# What the BMC's steps do, and what they cannot tell\n## `PUT …/{node}/states`\n### A [link](x.md) in *it*\n## Twice\n## Twice\n```sh\n# no heading\n```\n#tag\n";
    expect([...anchorsOf(text)]).toEqual([
      "what-the-bmcs-steps-do-and-what-they-cannot-tell",
      "put-nodestates",
      "a-link-in-it",
      "twice",
      "twice-1",
    ]);
  });
});

describe("linksOf and codeSpansOf", () => {
  it("find links, images and code, but nothing in fenced code", () => {
    const text =
      "[a](b.md#c) ![d](e.png) `[no](link)` and [`f`](g/)\n~~~\n[h](i.md) `j`\n~~~\n| [k](<l.md>) |\n";
    expect(linksOf(text)).toEqual([
      { target: "b.md#c", line: 1 },
      { target: "e.png", line: 1 },
      { target: "g/", line: 1 },
      { target: "l.md", line: 5 },
    ]);
    expect(codeSpansOf(text).map(({ code }) => code)).toEqual(["[no](link)", "f"]);
  });
});

describe("problemsOfPage", () => {
  it.each([
    "[a](../README.md), [b](cleaning.md#abort-hold-resume), [c](adr/), [d](https://example.com/x.md#y), [e](#page), ADR 14",
    "`server/main.ts`, `server/domain/cleaning/steps/<interface>.ts`, `agent/*.ts`, `/v1/nodes`",
    '```json\n{ "a": [1] }\n```\n\n1. Then\n\n   ```yaml\n   a: 1\n   b:\n     - c\n   ---\n   d: 2\n   ```\n```text\n{\n```',
  ])("follows %s", (text) =>
    expect(problemsOfPage("docs/page.md", `# Page\n${text}\n`, repository)).toEqual([]),
  );

  it.each([
    ["[a](gone.md)", "docs/page.md:2: docs/gone.md does not exist"],
    ["[a](cleaning.md#order)", "docs/page.md:2: docs/cleaning.md has no heading #order"],
    ["[a](../server/main.ts#L3)", "docs/page.md:2: server/main.ts is no page, so it has no #L3"],
    ["[a](../../elsewhere/a.md)", "docs/page.md:2: ../../elsewhere/a.md leads out of the repository"],
    ["as in ADR 15", "docs/page.md:2: there is no ADR 0015"],
    ["see `server/gone.ts`", "docs/page.md:2: server/gone.ts does not exist"],
    [
      "1. As in\n\n   ```yaml\n   a: 1\n   b: [\n   ```",
      "docs/page.md:4: the yaml does not parse: Flow sequence in block collection must be sufficiently indented and end with a ] at line 3, column 1:",
    ],
  ])("finds what is wrong with %s", (text, problem) =>
    expect(problemsOfPage("docs/page.md", `# Page\n${text}\n`, repository)).toEqual([problem]),
  );

  it("takes JSON for JSON, which YAML would accept", () =>
    expect(problemsOfPage("docs/page.md", "```json\n{ 'a': 1 }\n```", repository)).toEqual([
      expect.stringMatching(/^docs\/page\.md:1: the json does not parse: Expected property name/),
    ]));

  it("lets pages of the past name what is gone, and not link to it", () => {
    expect(problemsOfPage("docs/adr/0014-cleaning.md", "`server/gone.ts` [a](gone.md)", repository)).toEqual([
      "docs/adr/0014-cleaning.md:1: docs/adr/gone.md does not exist",
    ]);
  });
});

describe("problemsOfSource", () => {
  it.each([
    "// Why (docs/cleaning.md#abort-hold-resume; ADR 14, docs/adr/0014-cleaning.md, README.md).",
    " * https://example.com/docs/other.md#there",
    'const page = join(root, "docs", "elsewhere.md"); // on purpose',
    "/// HOLD expires (docs/cleaning.md)",
  ])("follows %s", (line) => expect(problemsOfSource("server/a.ts", line, repository)).toEqual([]));

  it.each([
    ["// Why (design: lifecycle.md, Gates).", /lifecycle.md is nothing .*\n.*cite a page/],
    ["/** By the rule (reference: ironic 4). */", /cite a page/],
    ["// See docs/gone.md.", /a.ts:1: docs\/gone.md does not exist/],
    ["// See docs/cleaning.md#order", /has no heading #order/],
    ['throw new Error("see docs/cleaning.md#order");', /has no heading #order/],
    ["// One connection (ADR 15, docs/adr/0016).", /no ADR 0015\n.*no ADR 0016/],
    ["const a = 1; // as lifecycle.md says", /lifecycle.md is nothing/],
  ])("finds what is wrong with %s", (line, problem) =>
    expect(problemsOfSource("server/a.ts", line, repository).join("\n")).toMatch(problem),
  );
});

describe("checkCitations", () => {
  it("reads pages and sources of a checkout, and says so when it finds none", () => {
    const checkout = mkdtempSync(join(tmpdir(), "citations-"));
    try {
      expect(checkCitations(checkout).problems).toEqual(["found no pages or no source files"]);
      for (const [path, text] of [
        ...pages,
        ["docs/moved.md", "Its folder is empty now: `server/gone`."],
        ["prisma/schema/a.prisma", "/// docs/adr/0099-gone.md"],
        [".ci/run", "# docs/cleaning.md#order"],
        ["node_modules/a/README.md", "[a](b.md)"],
      ] as const) {
        mkdirSync(join(checkout, dirname(path)), { recursive: true });
        writeFileSync(join(checkout, path), text);
      }
      mkdirSync(join(checkout, "server/gone"), { recursive: true });
      expect(checkCitations(checkout).problems).toEqual([
        "docs/moved.md:1: server/gone does not exist",
        ".ci/run:1: docs/cleaning.md has no heading #order",
        "prisma/schema/a.prisma:1: docs/adr/0099-gone.md does not exist",
        "prisma/schema/a.prisma:1: there is no ADR 0099",
      ]);
    } finally {
      rmSync(checkout, { recursive: true });
    }
  });
});
