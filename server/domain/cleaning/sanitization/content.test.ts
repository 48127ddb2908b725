// What a later reading of drives shows of their content.
import { expect, it } from "vitest";
import { contentDifferences } from "@/server/domain/cleaning/sanitization/content";
import type { ContentArea, ContentReading } from "@/server/domain/cleaning/sanitization/content";

const drive = { serial: "S1", model: "M" };

const area = (name: string, more: Partial<ContentArea> = {}): ContentArea => ({
  name,
  blocks: 1000,
  blockBytes: 512,
  places: { bootRecord: "b".repeat(22), sampled: "s".repeat(22) },
  ...more,
});

const differences = (...readings: readonly ContentReading[]): readonly string[] =>
  contentDifferences(
    {
      secret: "secret",
      since: "erase",
      drives: [{ ...drive, fingerprint: [area("namespace 1"), area("namespace 2")] }],
      read: null,
    },
    readings,
  );

const reading = (...fingerprint: ContentArea[]): ContentReading => ({ ...drive, fingerprint });

it("namespaces that came, went or have another size are a difference, in whatever order they are read", () => {
  const [one, two] = [area("namespace 1"), area("namespace 2")];
  expect(differences(reading(two, one))).toEqual([]);
  const otherSet = ["the set of namespaces of drive S1 changed between its erase and the final boot"];
  expect(differences(reading(one, two, area("namespace 3")))).toEqual(otherSet);
  expect(differences(reading(one))).toEqual(otherSet);
  expect(differences(reading(one, area("namespace 3")))).toEqual(otherSet);
  for (const other of [{ blocks: 1001 }, { blockBytes: 4096 }])
    expect(differences(reading(one, area("namespace 2", other)))).toEqual([
      "the size of namespace 2 of drive S1 changed between its erase and the final boot",
    ]);
});

it("a drive that is read twice, or as another model, is not unchanged", () => {
  const whole = reading(area("namespace 1"), area("namespace 2"));
  expect(differences(whole, whole)).toEqual(["drive S1 was read twice in the final boot"]);
  expect(differences({ ...whole, model: "other" })).toEqual([
    "drive S1 was not read again in the final boot",
  ]);
});
