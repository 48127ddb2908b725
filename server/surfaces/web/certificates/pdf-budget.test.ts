// One tenant's PDFs leave time for other tenants', and those of all tenants together leave time for the provider's.
import { expect, it } from "vitest";
import { PdfBudget } from "@/server/surfaces/web/certificates/pdf-budget";

it("leaves time for others", () => {
  const budget = new PdfBudget();
  const taken = (times: number, personId: string, tenantId: string | null, nowMs = 0): number =>
    Array.from({ length: times }, () => budget.take({ personId, tenantId }, nowMs)).filter(Boolean).length;
  expect(taken(15, "a", "T1") + taken(100, "b", "T1")).toBe(20);
  expect(taken(100, "c", "T2")).toBe(20);
  expect(taken(1, "d", "T3")).toBe(0);
  expect(taken(100, "p", null)).toBe(60);
  expect(taken(1, "q", null)).toBe(1);
  expect(taken(100, "a", "T1", 10_000)).toBe(5);
  expect(taken(100, "d", "T3", 10_000)).toBe(15);
});
