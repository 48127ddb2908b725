// What a queue row says of an alert that another release wrote, and that this one cannot read: it asks for a repair all the same.
import { expect, it } from "vitest";
import { repairReports } from "@/server/domain/repair/completion";
import { askedOf, requestedIssueOf, sourcesOf } from "@/server/usecases/repair/queue-rows";

const since = new Date("2026-11-30T10:00:00Z");
const record = { asked: [{ source: "repair-request", alert: { shape: "of another release" } }], since };

it("counts as a request, since when the database says", () => {
  expect(askedOf(record.asked)).toEqual([]);
  expect(repairReports(sourcesOf(record))).toEqual({ requested: true, reported: false });
  expect(requestedIssueOf(record).sinceMs).toBe(since.getTime());
});
