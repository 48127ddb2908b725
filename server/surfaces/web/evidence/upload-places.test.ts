// Nobody takes all upload places: not one person, not one tenant, not all tenants together.
import { expect, it } from "vitest";
import { UploadPlaces } from "@/server/surfaces/web/evidence/upload-places";

it("leaves places for others", () => {
  const places = new UploadPlaces();
  const take = (personId: string, tenantId: string | null) => places.take({ personId, tenantId });
  const given = take("a", "T1");
  expect(given).not.toBeNull();
  expect(take("a", "T1")).not.toBeNull();
  expect(take("a", "T1")).toBeNull();
  expect(take("b", "T1")).toBeNull();
  expect(take("c", "T2")).not.toBeNull();
  expect(take("d", "T3")).toBeNull();
  expect(take("p", null)).not.toBeNull();
  expect(take("q", null)).toBeNull();
  given?.();
  expect(take("q", null)).not.toBeNull();
});

it("gives one person of the provider two", () => {
  const places = new UploadPlaces();
  const take = () => places.take({ personId: "p", tenantId: null });
  expect([take(), take(), take()].map((place) => place !== null)).toEqual([true, true, false]);
});
