// Figures of the console bench: the slowest request is named, and a missed budget is reported.
import { describe, expect, it } from "vitest";
import { consoleSections } from "@/bench/console/console-report";
import type { PageMeasured } from "@/bench/console/console-report";
import { isWithin } from "@/bench/figures";

const mib = 1024 * 1024;
const good: PageMeasured = {
  hosts: 1000,
  seconds: 50,
  requests: [
    { path: "/a", ms: 20 },
    { path: "/api/trpc/bulk.progress", ms: 400 },
    { path: "/b", ms: 30 },
  ],
  longTasksMs: [60, 90],
  framesMs: [16, 17, 40],
  heapBefore: 20 * mib,
  heapAfter: 21 * mib,
  webBefore: 300 * 1024,
  webAfter: 310 * 1024,
};
const figure = (measured: PageMeasured, name: string) =>
  consoleSections(measured)
    .flatMap(({ figures }) => figures)
    .find((each) => each.name === name);

describe("the console's figures", () => {
  it("name the slowest request and say how fast the run was", () => {
    expect(figure(good, "longest")).toMatchObject({ value: 400, note: "/api/trpc/bulk.progress" });
    expect(figure(good, "hosts cleaned by hand")).toMatchObject({ value: 20 });
    expect(figure(good, "tasks over 50 ms")).toMatchObject({ value: 2, note: "150 ms in all" });
    expect(figure(good, "page, grown by the end")?.value).toBe(1);
  });
  it("hold where all is well, and are missed one by one", () => {
    const budgeted = (measured: PageMeasured) =>
      consoleSections(measured)
        .flatMap(({ figures }) => figures)
        .filter((each) => isWithin(each) === false)
        .map(({ name }) => name);
    expect(budgeted(good)).toEqual([]);
    expect(budgeted({ ...good, requests: [{ path: "/a", ms: 1001 }] })).toEqual(["longest"]);
    expect(budgeted({ ...good, longTasksMs: [700] })).toEqual(["longest task"]);
    expect(budgeted({ ...good, framesMs: [900] })).toEqual(["longest wait for a frame"]);
    expect(budgeted({ ...good, heapAfter: 90 * mib })).toEqual(["page, grown by the end"]);
  });
  it("say nothing of what could not be measured", () => {
    expect(figure({ ...good, requests: [], framesMs: [], webBefore: null }, "longest")).toMatchObject({
      value: null,
    });
    expect(figure({ ...good, webBefore: null }, "web process, before")).toMatchObject({ value: null });
  });
});
