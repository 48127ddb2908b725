// Processor time: parsing a line of /proc/<pid>/stat, and counting children that have ended.
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { parseStat, processMs, processTreeMs, readStat, treeMs } from "@/bench/processor";

const line = (
  pid: number,
  command: string,
  parent: number,
  ticks: readonly [number, number, number, number],
) =>
  `${pid} (${command}) S ${parent} 1 1 0 -1 4194560 100 200 0 0 ${ticks.join(" ")} 20 0 1 0 100 1000 10 18446744073709551615`;

it("reads the fields behind a command with spaces and brackets", () => {
  expect(parseStat(line(42, "postgres: a (b) c", 7, [3, 4, 5, 6]))).toEqual({
    pid: 42,
    command: "postgres: a (b) c",
    parent: 7,
    ownTicks: 7,
    endedChildrenTicks: 11,
  });
});

it("refuses what is no such line", () => {
  expect(() => parseStat("nonsense")).toThrow("not a process");
});

it("sums a process, its living children and its ended ones, and nobody else's", () => {
  const root = parseStat(line(1, "postgres", 0, [1, 1, 10, 10]));
  const child = parseStat(line(2, "postgres", 1, [3, 0, 0, 0]));
  const stranger = parseStat(line(3, "node", 9, [500, 0, 0, 0]));
  expect(treeMs(root, [root, child, stranger])).toBe((2 + 20 + 3) * 10);
});

it("sees the work of this process and of a child that has ended", () => {
  const before = { own: processMs(process.pid), tree: processTreeMs(process.pid) };
  // By processor time, not wall time, which also passes while other processes run.
  const busy = "for (let used; (used = process.cpuUsage()).user + used.system < 250_000; );";
  spawnSync(process.execPath, ["-e", busy]);
  expect(processTreeMs(process.pid) - before.tree).toBeGreaterThanOrEqual(150);
  expect(processMs(process.pid)).toBeGreaterThanOrEqual(before.own);
});

it("has nothing for a process that does not exist", () => {
  expect(readStat(4_194_304 * 2)).toBeNull();
  expect(() => processMs(4_194_304 * 2)).toThrow("has ended");
});
