// A machine's UUID is the same in either byte order, and what many boards have is none.
import fc from "fast-check";
import { expect, it } from "vitest";
import { otherByteOrder, ownUuid, sameUuid } from "@/server/domain/hosts/inventory/system-uuid";

it.each([
  "",
  "0123456789",
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  "fefefefe-fefe-fefe-fefe-fefefefefefe",
  "03000200-0400-0500-0006-000700080009",
  "00020003-0004-0005-0006-000700080009",
  "12345678-1234-5678-90AB-CDDEEFAABBCC",
  "00010203-0405-0607-0809-0A0B0C0D0E0F",
])("%j names no machine", (text) => expect(ownUuid(text)).toBe(""));

it.each(["4c4c4544-0051-3410-8051-b5c04f375931", "00000000-0000-0000-0000-AC1F6B000001"])(
  "%j is a machine's own",
  (text) => expect(ownUuid(` ${text} `)).toBe(text.toLowerCase()),
);

it("turns the first three parts only", () =>
  expect(otherByteOrder("DEADBEEF-0123-4567-89ab-cdef01234567")).toBe(
    "efbeadde-2301-6745-89ab-cdef01234567",
  ));

it("is the same system in both orders, and no other", () =>
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      expect(sameUuid(one, one.toUpperCase())).toBe(true);
      expect(sameUuid(one, otherByteOrder(one))).toBe(true);
      expect(otherByteOrder(otherByteOrder(one))).toBe(one);
      expect(sameUuid(one, other)).toBe(one === other || otherByteOrder(one) === other);
    }),
  ));

it("is no system if both have none", () => expect(sameUuid("", "")).toBe(false));
