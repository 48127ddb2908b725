// What somebody waits for is read before the schedule comes to it, once, and only where it may be read.
import { expect, it } from "vitest";
import { SpreadReader } from "@/server/controller/power/spread-reader";
import { until } from "@/server/testing/until";

it("reads a wanted host at once, and a held one when it may be read", async () => {
  const read: string[] = [];
  let wanted: readonly string[] = [];
  let held = new Set<string>();
  const reader = new SpreadReader<string>({
    ...{ everyMs: 3_600_000, listShare: 0.02, maxTickMs: 5, maxUnderWay: 8, isHeldGood: false },
    store: () => Promise.resolve(),
    hosts: () => Promise.resolve(["a", "b", "c", "d"]),
    wanted: () => Promise.resolve(wanted),
    targets: (ids) => Promise.resolve(new Map(ids.filter((id) => !held.has(id)).map((id) => [id, id]))),
    read: (_row, hostId) => {
      read.push(hostId);
      wanted = wanted.filter((each) => each !== hostId);
      return Promise.resolve(true);
    },
    onError: (error) => {
      throw error;
    },
  });
  reader.start();
  try {
    // Each is read once after the start; the next time is in an hour.
    await until("all hosts are read", 10_000, () => Promise.resolve(read.length === 4));
    wanted = ["c"];
    await until("the wanted host is read", 10_000, () => Promise.resolve(read.length === 5));
    expect(read.at(-1)).toBe("c");
    held = new Set(["b"]);
    wanted = ["b", "unknown"];
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(read).toHaveLength(5);
    held = new Set();
    await until("the host is read that was held", 10_000, () => Promise.resolve(read.length === 6));
    expect(read.at(-1)).toBe("b");
  } finally {
    await reader.stop();
  }
});
