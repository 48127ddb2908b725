// One table of problems for all APIs.
import { describe, expect, it } from "vitest";
import { describeProblem, ironicStatus, problemCodes, problems } from "@/server/domain/problems";

describe("problems", () => {
  it.each(Object.entries(problems))(
    "%s has an error status, a title, and says when to repeat",
    (code, row) => {
      expect(row.status).toBeGreaterThanOrEqual(400);
      expect(row.status).toBeLessThan(600);
      expect(row.title).toMatch(/^[A-Z][^.]*$/);
      expect(row.detail).toMatch(/^$|\.$/);
      // Not signed in, not permitted, too large: repeating the request changes nothing.
      if ([400, 401, 403, 413, 415].includes(row.status)) expect(row.retry, code).toBe(false);
      if ([429, 500, 503].includes(row.status)) expect(row.retry, code).toBe(true);
    },
  );

  it("keep the statuses that clients know", () =>
    expect(problemCodes.map((code) => [code, problems[code].status, ironicStatus(code)])).toEqual([
      ["invalid", 400, 400],
      ["unauthenticated", 401, 401],
      ["forbidden", 403, 403],
      ["notFound", 404, 404],
      ["notAllowedNow", 409, 400],
      ["conflict", 409, 409],
      ["awaitsApproval", 409, 409],
      ["tooMany", 429, 429],
      ["unavailable", 503, 503],
      ["internal", 500, 500],
    ]));

  it("are described as RFC 9457 says", () =>
    expect(describeProblem("tooLarge", undefined)).toEqual({
      type: "urn:reclaim:problem:tooLarge",
      title: "Too large",
      status: 413,
      detail: "The body is larger than this address accepts.",
      code: "tooLarge",
    }));
});
