// Which requests may change something, and what is taken from headers.
import { describe, expect, it } from "vitest";
import { isSameOrigin, requestFacts } from "@/server/surfaces/web/request";

const base = "https://reclaim.example.test";

describe("a request that changes something", () => {
  it.each([
    [{ origin: base }, true],
    [{ origin: "http://localhost:3000", host: "localhost:3000" }, true],
    [{ origin: "https://evil.test", host: "localhost:3000" }, false],
    [{ origin: "null", host: "localhost:3000" }, false],
    [{ origin: "http://localhost:3000.evil.test", host: "localhost:3000" }, false],
    [{ host: "localhost:3000" }, false],
    [{ host: "localhost:3000", "sec-fetch-site": "same-origin" }, true],
    [{ host: "localhost:3000", "sec-fetch-site": "cross-site" }, false],
  ])("%j: %s", (headers, expected) => expect(isSameOrigin(new Headers(headers), base)).toBe(expected));
});

describe("facts", () => {
  it("keep a proxy's request id", () =>
    expect(requestFacts(new Headers({ "x-request-id": "req-12345678" })).requestId).toBe("req-12345678"));
  it.each(["short", "with space in it", "a".repeat(200)])("make their own for %j", (id) =>
    expect(requestFacts(new Headers({ "x-request-id": id })).requestId).toMatch(/^[0-9a-f-]{36}$/),
  );
  it("take the address that the HTTP server found, and no header of the caller's", () => {
    expect(
      requestFacts(new Headers({ "x-reclaim-client-address": "10.0.0.1", "x-forwarded-for": "6.6.6.6" }))
        .address,
    ).toBe("10.0.0.1");
    expect(requestFacts(new Headers({ "x-forwarded-for": "6.6.6.6" })).address).toBeNull();
  });
});
