// What is wrong with the files of a record.
import { expect, it } from "vitest";
import { filesRefusal } from "@/server/domain/assurance/procedures/record-files";

const stored = [
  { sha256: "a", name: "cords.png", type: "image/png" },
  { sha256: "b", name: "drain.log", type: "text/plain" },
];

it.each([
  [[], null],
  [
    [
      ["a", "photo"],
      ["b", "log"],
    ],
    null,
  ],
  [[["a", "log"]], null],
  [
    [
      ["a", "photo"],
      ["a", "log"],
    ],
    "cords.png is listed twice",
  ],
  [[["b", "photo"]], "drain.log is not a photo"],
  [[["c", "photo"]], "c is not a photo"],
] as const)("%j: %s", (named, words) => {
  const refusal = filesRefusal(
    named.map(([sha256, shows]) => ({ sha256, shows })),
    stored,
  );
  if (words === null) expect(refusal).toBeNull();
  else expect(refusal?.reason).toContain(words);
});
