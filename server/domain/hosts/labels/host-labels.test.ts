// The limits on a host's labels, with NICo's error texts.
import { expect, it } from "vitest";
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";

const said = (labels: Record<string, string>) => hostLabels.safeParse(labels).error?.issues[0]?.message;
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

it("are at most 10, with a key of 1 to 255 characters and a value of up to 255", () => {
  expect(said({})).toBeUndefined();
  expect(said({ ...many(9), ["k".repeat(255)]: "v".repeat(255) })).toBeUndefined();
  expect(said({ empty: "" })).toBeUndefined();
  expect(said({ ["🔧".repeat(255)]: "🔧".repeat(255) })).toBeUndefined();
});

it.each([
  [many(11), "up to 10 key/value pairs can be specified in labels"],
  [{ "": "v" }, "one or more labels do not have a key specified"],
  [{ " \t": "v" }, "label key consists only of whitespace"],
  [{ ["k".repeat(256)]: "v" }, "label key must contain at least 1 character and a maximum of 255 characters"],
  [{ k: "\ud83d" }, "one or more labels have a character that cannot be stored"],
  [{ "k\0": "v" }, "one or more labels have a character that cannot be stored"],
  [{ k: "v".repeat(256) }, "label value cannot exceed a maximum of 255 characters"],
])("say what is wrong: %#", (labels: Record<string, string>, words) => {
  expect(said(labels)).toBe(words);
});
