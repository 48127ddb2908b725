// Which database errors are temporary.
import { describe, expect, it } from "vitest";
import { outageOf } from "@/server/db/outage";

const coded = (code: string, cause?: unknown): Error => Object.assign(new Error("x", { cause }), { code });

describe("outageOf", () => {
  it.each([
    [coded("53100"), /disk is full/],
    [coded("53300"), /limits/],
    [coded("57P03"), /stopping or starting/],
    [coded("25006"), /read-only/],
    [coded("ECONNREFUSED"), /cannot be reached/],
    [new Error("Connection terminated unexpectedly"), /cannot be reached/],
    [new Error("failed", { cause: coded("53100") }), /disk is full/],
    [
      Object.assign(coded("P2010"), { meta: { driverAdapterError: { cause: { originalCode: "53100" } } } }),
      /disk is full/,
    ],
    [
      Object.assign(coded("P2010"), {
        meta: { driverAdapterError: { cause: { kind: "DatabaseNotReachable", host: "db", port: 5432 } } },
      }),
      /cannot be reached/,
    ],
    [
      Object.assign(coded("P2010"), {
        meta: { driverAdapterError: { cause: { kind: "UniqueConstraintViolation" } } },
      }),
      null,
    ],
    [new AggregateError([], "several"), null],
    [coded("23505"), null],
    [coded("22003"), null],
    ["53100", null],
    [null, null],
  ])("%s is %s", (error, message) => {
    if (message === null) expect(outageOf(error)).toBeNull();
    else expect(outageOf(error)).toMatch(message);
  });

  it("ends at an error that is its own cause", () => {
    const error: { cause?: unknown } = {};
    error.cause = error;
    expect(outageOf(error)).toBeNull();
  });
});
