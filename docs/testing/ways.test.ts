// The ways through the code in docs/architecture.md: each file is there, and one before it imports it or shares a record with it. Which files really run, ways.itest.ts measures for the first three.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { filesOfWay, maxFiles, root, wayNames } from "@/server/testing/ways";

/** Says which use case does an operation, and runs nothing itself. */
const table = "server/surfaces/trpc/handlers.ts";
/** Not listed, for other requests pass them too: what asks whether the role may. */
const frames = ["server/surfaces/machine/nico/membership.ts", "server/surfaces/machine/ironic/deps.ts"];

const imports = (file: string): readonly string[] =>
  [
    ...readFileSync(`${root}${file}`, "utf8").matchAll(
      /^(?:import|\} from|export .* from).*"@\/([^"]+)";$/gm,
    ),
  ].map(([, path]) => `${path}.ts`);

describe.each(wayNames)("%s", (name) => {
  const files = filesOfWay(name);
  it("is short, and names each file once", () => {
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(maxFiles[name]);
    expect(new Set(files).size).toBe(files.length);
  });
  it.each(files.map((file, index) => [file, index] as const))("%s is there and reached", (file, index) => {
    expect(existsSync(`${root}${file}`)).toBe(true);
    if (index === 0) return;
    const before = files.slice(0, index).flatMap((earlier) => imports(earlier));
    const further = [table, ...frames].filter((one) => before.includes(one)).flatMap(imports);
    // Through the database, a file is reached by a record that it shares with one before it.
    const shared = imports(file).some((each) => files.slice(0, index).includes(each));
    expect(shared || [...before, ...further].includes(file)).toBe(true);
  });
});
