// When a leased host is expected back.
import { expect, it } from "vitest";
import { untilOf } from "@/components/repair/leases/lease-text";

it("counts from now", () => {
  expect(untilOf("none", 0)).toBeNull();
  expect(untilOf("day", 1_000)?.getTime()).toBe(86_401_000);
});
