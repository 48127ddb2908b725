// Files that a site adds to the image: at their paths, however the folder is named, and reproducibly.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, expect, it } from "vitest";
import { archive } from "@/scripts/image/archive.mjs";
import { Tree } from "@/scripts/image/tree.mjs";

const made: string[] = [];
afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** Writes the files in a different order and at a different time on each call. */
function site(names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "reclaim-added-"));
  made.push(folder);
  for (const [index, name] of names.entries()) {
    const path = join(folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `content of ${name}`);
    utimesSync(path, index, index);
  }
  return folder;
}
const names = ["etc/reclaim/steps.d/check.json", "lib/firmware/card.bin", "opt/site/bin/check"];
function imageOf(folder: string): Buffer {
  const tree = new Tree("/nonexistent");
  tree.add(folder);
  return archive(tree.entries);
}

it("puts files and links at their places, and gives the same bytes for the same files", () => {
  const folder = site(names);
  symlinkSync("check", join(folder, "opt/site/bin/other"));
  const tree = new Tree("/nonexistent");
  tree.add(folder);
  expect(tree.entries.get("etc/reclaim/steps.d/check.json")).toMatchObject({
    kind: "file",
    executable: true,
  });
  // `/lib` is a link to `/usr/lib` in the image.
  expect(tree.entries.get("usr/lib/firmware/card.bin")).toMatchObject({ kind: "file" });
  expect(tree.entries.get("opt/site/bin/other")).toEqual({ kind: "link", to: "check" });
  const other = site([...names].reverse());
  symlinkSync("check", join(other, "opt/site/bin/other"));
  expect(imageOf(other).equals(imageOf(folder))).toBe(true);
});

it.each([
  ["with a slash at its end", (folder: string) => `${folder}/`],
  ["by a relative path", (folder: string) => `./${relative(process.cwd(), folder)}`],
])("takes a folder %s for the same", (_what, name) => {
  const folder = site(names);
  expect(imageOf(name(folder)).equals(imageOf(folder))).toBe(true);
});

it("puts nothing in the place of a file of ours", () => {
  const tree = new Tree("/nonexistent");
  tree.put("/init", Buffer.from("ours"), true);
  expect(() => tree.add(site(["init"]))).toThrow("would take the place of the image's own /init");
});
