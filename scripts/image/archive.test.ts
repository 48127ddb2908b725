// The initramfs: readable according to the format's own description, and reproducible.
import { describe, expect, it } from "vitest";
import { archive, readArchive, type Entry } from "@/scripts/image/archive.mjs";

interface Read {
  readonly name: string;
  readonly mode: number;
  readonly owner: readonly number[];
  readonly time: number;
  readonly content: string;
}

/** Follows the kernel's description (driver-api/early-userspace/buffer-format). */
function read(bytes: Buffer): Read[] {
  const found: Read[] = [];
  for (let at = 0; ;) {
    const field = (index: number) =>
      Number.parseInt(bytes.toString("latin1", at + 6 + index * 8, at + 14 + index * 8), 16);
    expect(bytes.toString("latin1", at, at + 6)).toBe("070701");
    const [nameLength, length] = [field(11), field(6)];
    const name = bytes.toString("utf8", at + 110, at + 110 + nameLength - 1);
    const start = (at + 110 + nameLength + 3) & ~3;
    if (name === "TRAILER!!!") return found;
    found.push({
      name,
      mode: field(1),
      owner: [field(2), field(3)],
      time: field(5),
      content: bytes.toString("utf8", start, start + length),
    });
    at = (start + length + 3) & ~3;
  }
}

const file = (text: string, executable = false) =>
  ({ kind: "file", bytes: Buffer.from(text), executable }) as const;

describe("the initramfs", () => {
  it("has files, links and the folders above them, the outermost first, of root and without a time", () => {
    const entries = read(
      archive(
        new Map<string, Entry>([
          ["usr/bin/a", file("program", true)],
          ["bin", { kind: "link", to: "usr/bin" }],
          ["etc/ä", file("odd")],
        ]),
      ),
    );
    expect(entries.map(({ name, mode, content }) => [name, mode.toString(8), content])).toEqual([
      ["bin", "120777", "usr/bin"],
      ["etc", "40755", ""],
      ["etc/ä", "100644", "odd"],
      ["usr", "40755", ""],
      ["usr/bin", "40755", ""],
      ["usr/bin/a", "100755", "program"],
    ]);
    expect(entries.every(({ owner, time }) => time === 0 && owner.every((id) => id === 0))).toBe(true);
  });

  it("is read back", () => {
    const files = readArchive(
      archive(
        new Map([
          ["a/b", file("1")],
          ["a/c", file("three")],
        ]),
      ),
    );
    expect([...files].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
      ["a", ""],
      ["a/b", "1"],
      ["a/c", "three"],
    ]);
  });

  it("is the same, in whatever order the files came", () => {
    const files = [
      ["b", file("1")],
      ["a/c", file("2")],
    ] as const;
    expect(archive(new Map(files))).toEqual(archive(new Map(files.toReversed())));
  });
});
