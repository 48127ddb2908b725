// How far reads run ahead of the work, and that a failure is raised in its turn.
import { expect, it } from "vitest";
import { inAdvance } from "@/server/domain/audit-log/whole-log/in-advance";

const items = [1, 2, 3, 4, 5];

async function begunBefore(ahead: number): Promise<readonly number[]> {
  let begun = 0;
  const seen: number[] = [];
  for await (const [item, read] of inAdvance(items, ahead, async (one) => {
    begun += 1;
    return one * 10;
  })) {
    expect(read).toBe(item * 10);
    seen.push(begun - item);
  }
  return seen;
}

it("each is read once, so many ahead of the one that is worked on", async () => {
  expect(await begunBefore(0)).toEqual([0, 0, 0, 0, 0]);
  expect(await begunBefore(2)).toEqual([2, 2, 2, 1, 0]);
});

it("a read that fails is told in its turn, and those behind it do no harm", async () => {
  const seen: number[] = [];
  const reading = async () => {
    for await (const [item] of inAdvance(items, 4, async (one) => {
      if (one >= 3) throw new Error(`no ${one}`);
    }))
      seen.push(item);
  };
  await expect(reading()).rejects.toThrow("no 3");
  expect(seen).toEqual([1, 2]);
});
