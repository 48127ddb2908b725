// One pack at a time for each, few at once, and a pause after several.
import { expect, it } from "vitest";
import { PackLimit } from "@/server/surfaces/web/proof/pack-limit";

const person = (personId: string, tenantId: string | null = null) => ({ personId, tenantId });

it("makes one at a time per tenant and per person of the provider, and four together", () => {
  const limit = new PackLimit();
  const end = limit.begin(person("a", "T1"), 0);
  expect(end).not.toBeNull();
  expect(limit.begin(person("b", "T1"), 0)).toBeNull();
  end?.();
  end?.();
  expect(limit.begin(person("b", "T1"), 0)).not.toBeNull();
  for (const name of ["p", "q", "r"]) expect(limit.begin(person(name), 0)).not.toBeNull();
  expect(limit.begin(person("s"), 0)).toBeNull();
});

it("asks for a pause after several", () => {
  const limit = new PackLimit();
  const made = (nowMs: number) => {
    const end = limit.begin(person("a"), nowMs);
    end?.();
    return end !== null;
  };
  expect(Array.from({ length: 8 }, () => made(0)).filter(Boolean)).toHaveLength(6);
  expect(made(10_000)).toBe(true);
});
