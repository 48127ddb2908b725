// The archive of a pack: what we write is read back, and anything else is refused.
import { expect, it } from "vitest";
import { archiveEnd, headerOf, memberBytes, readMembers } from "@/server/domain/assurance/proof/pack/tar";

async function* pieces(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.concat(all);
  for (let at = 0; at < bytes.length; at += 300) yield bytes.subarray(at, at + 300);
}
const read = async (...all: readonly Uint8Array[]): Promise<readonly (readonly [string, number])[]> => {
  const found: [string, number][] = [];
  for await (const { name, bytes } of readMembers(pieces(...all), () => 2_000))
    found.push([name, bytes.length]);
  return found;
};
const file = (name: string, size: number) => memberBytes({ name, bytes: Buffer.alloc(size, 1) });

it("reads back what it wrote, of any size", async () => {
  const sizes = [0, 1, 511, 512, 513, 2_000];
  const written = sizes.map((size) => file(`certificates/C-${size}.json`, size));
  expect(await read(...written, archiveEnd)).toEqual(
    sizes.map((size) => [`certificates/C-${size}.json`, size]),
  );
});

it.each(["../x", "/etc/passwd", "a/../b", "a/b/c", "", "a b", "a".repeat(101), "x..y"])(
  "writes no file called %j",
  (name) => {
    expect(() => headerOf(name, 0)).toThrow("name");
  },
);

/** Sets bytes of the header, with its checksum made to match. */
function hostile(at: number, text: string): Uint8Array {
  const bytes = Buffer.from(file("README.txt", 10));
  bytes.write(text, at, "latin1");
  bytes.fill(" ", 148, 156);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return bytes;
}

it.each([
  ["a link", 156, "2"],
  ["a directory", 156, "5"],
  ["a header of another program", 156, "x"],
  ["a long name of GNU tar", 156, "L"],
  ["a path", 0, "../etc/pwd"],
  ["an owner", 108, "0000001"],
  ["a time", 136, "00000000001"],
  ["a target of a link", 157, "/etc/passwd"],
  ["a size that is no number", 124, "zzz"],
  ["a size beyond eight gigabytes", 124, "\u0080"],
])("refuses %s", async (_what, at, text) => {
  await expect(read(hostile(at, text), archiveEnd)).rejects.toThrow(
    /not an archive as Reclaim writes it|name/,
  );
});

it("refuses a file that is too large before it reads it, and one that was cut off or goes on", async () => {
  await expect(read(headerOf("README.txt", 2_001))).rejects.toThrow("too large");
  const whole = file("README.txt", 600);
  await expect(read(whole.subarray(0, 700))).rejects.toThrow("cut off within README.txt");
  await expect(read(whole)).rejects.toThrow("cut off");
  await expect(read(whole, archiveEnd.subarray(0, 512))).rejects.toThrow("cut off");
  await expect(read(whole, archiveEnd, Buffer.from("x"))).rejects.toThrow("follows");
});

it("refuses something in the padding", async () => {
  const bytes = Buffer.from(file("README.txt", 10));
  bytes[600] = 1;
  await expect(read(bytes, archiveEnd)).rejects.toThrow("after README.txt");
});
