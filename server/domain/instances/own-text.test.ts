// What a tenant may write about its instance: nothing that the database cannot store.
import { expect, it } from "vitest";
import { instanceDescription, instanceLabels, instanceName } from "@/server/domain/instances/own-text";

it.each(["a\0b", "ab\ud800"])("refuses %j", (text) => {
  expect(instanceName.safeParse(text).success).toBe(false);
  expect(instanceDescription.safeParse(text).success).toBe(false);
  expect(instanceLabels.safeParse({ [text]: "" }).success).toBe(false);
  expect(instanceLabels.safeParse({ a: text }).success).toBe(false);
});

it("takes lines and signs of every kind", () => {
  expect(instanceName.parse(" train-🛠 ")).toBe("train-🛠");
  expect(instanceDescription.parse("one\ntwo\tthree")).toBe("one\ntwo\tthree");
});
