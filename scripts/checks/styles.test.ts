// The check of class names finds unused, undefined and abbreviated ones, and nothing else.
import { describe, expect, it } from "vitest";
import { definedClasses, problemsOfStyles, usedClasses } from "@/scripts/checks/styles.mjs";

describe("definedClasses", () => {
  it("reads selectors, also within media queries, and nothing else", () =>
    expect([
      ...definedClasses(
        '/* .no */ @import "./no.css"; .table tr.off > td:not(.end, .start)::after { content: ".no"; width: 0.5em }\n@media (max-width: 899px) { .narrow { margin: 0 } }',
      ),
    ]).toEqual(["table", "off", "end", "start", "narrow"]));
});

describe("usedClasses", () => {
  const used = (text: string) => [...usedClasses("a.tsx", text).written];
  it("reads every text of a className, and no value that is compared with", () => {
    expect(used('<p className="one two" title="three" />')).toEqual(["one", "two"]);
    expect(used('<p className={kind === "four" ? "one" : undefined} />')).toEqual(["one"]);
    expect(used('<p className={`one ${off ? "two" : ""} three`} />')).toEqual(["one", "two", "three"]);
    expect(used('const column = { className: "one", label: "two" };')).toEqual(["one"]);
  });
  it("knows every text that could be one", () =>
    expect([
      ...usedClasses("a.ts", 'const look = (bad: boolean) => (bad ? "one two" : "");').possible,
    ]).toEqual(["one", "two"]));
});

describe("problemsOfStyles", () => {
  const problems = (sheet: string, component: string) =>
    problemsOfStyles([{ path: "a.css", text: sheet }], [{ path: "a.tsx", text: component }]);
  it("finds what no component uses", () =>
    expect(problems(".table {} .gone {}", '<p className="table" />')).toEqual([
      "a.css: no component uses .gone",
    ]));
  it("finds what no sheet defines", () =>
    expect(problems(".table {}", '<p className="table lost" />')).toEqual([
      "a.tsx: no sheet defines the class lost",
    ]));
  it.each(["n10", "qq", "sk", "vh"])("finds the abbreviation %s", (name) =>
    expect(problems(`.${name} {}`, `<p className="${name}" />`)).toEqual([
      `a.css: .${name} is an abbreviation; say the noun`,
    ]),
  );
});
