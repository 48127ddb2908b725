// Giving up a download at any piece ends the request to the store.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { begun, checked } from "@/server/usecases/assurance/evidence/pieces";

const texts = ["one", "two", "three"];
const sha256 = createHash("sha256").update(texts.join("")).digest("hex");

function store() {
  const seen = { ended: false };
  async function* read() {
    try {
      for (const text of texts) yield await Promise.resolve(Buffer.from(text));
    } finally {
      seen.ended = true;
    }
  }
  return { seen, pieces: read() };
}

it.each([0, 1, 2])("is given up after %i pieces", async (count) => {
  const { seen, pieces } = store();
  const read = checked(sha256, await begun(pieces));
  for (let piece = 0; piece < count; piece += 1) await read.next();
  expect(seen.ended).toBe(false);
  await read.return?.();
  expect(seen.ended).toBe(true);
});

it("comes whole, and is not given out whole where it was changed", async () => {
  const whole: string[] = [];
  for await (const piece of checked(sha256, await begun(store().pieces))) whole.push(String(piece));
  expect(whole).toEqual(texts);
  const changed: string[] = [];
  await expect(async () => {
    for await (const piece of checked("0".repeat(64), await begun(store().pieces)))
      changed.push(String(piece));
  }).rejects.toThrow("were changed");
  expect(changed).toEqual(["one", "two"]);
});
