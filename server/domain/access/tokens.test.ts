// The form, hash and comparison of tokens.
import { describe, expect, it } from "vitest";
import {
  bearerToken,
  isApiToken,
  isSameToken,
  newApiToken,
  newToken,
  tokenHash,
} from "@/server/domain/access/tokens";

describe("tokens", () => {
  it("of people have a form of their own, and those of machines do not have it", () => {
    expect(isApiToken(newApiToken())).toBe(true);
    expect(isApiToken(newToken())).toBe(false);
    expect(isApiToken(` ${newApiToken()}`)).toBe(false);
  });
  it("are stored as their SHA-256", () =>
    expect(tokenHash("abc").toString("hex")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ));
  it("are compared whatever their lengths", () => {
    expect(isSameToken("one", "one")).toBe(true);
    expect(isSameToken("one", "another")).toBe(false);
  });
});

describe("the token of a header", () => {
  it.each([
    ["Bearer abc", "abc"],
    ["bearer abc", "abc"],
    [" Bearer abc ", "abc"],
    ["Basic abc", null],
    ["Bearer a b", null],
    ["Bearer ", null],
    [`Bearer ${"a".repeat(513)}`, null],
    [undefined, null],
    [null, null],
  ])("%s", (header, token) => expect(bearerToken(header)).toBe(token));
});
