// Completion of the filter: keys, values, several values of one key, negation, quotes, and suggestions for misspelled words.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  completions,
  didYouMean,
  type StoredValues,
} from "@/server/domain/hosts/completion/filter-completion";
import { parseHostFilter } from "@/server/domain/hosts/host-filter";

const stored: StoredValues = {
  site: ["a", "berlin-1"],
  rack: ["A01"],
  segment: [],
  domain: [],
  sku: ["dell-r750-gpu", "two words"],
  tenant: ["acme"],
  image: ["4.2.0"],
  alert: ["FanFailed"],
};
const at = (text: string) => {
  const caret = text.indexOf("|");
  return completions(text.replace("|", ""), caret, stored);
};
const filters = (text: string) => at(text).map(({ filter }) => filter);

describe("completion", () => {
  it.each([
    ["sta|", ["state:", "standing:"]],
    ["-maint|", ["-maintenance:"]],
    ["site:b|", ["site:berlin-1 "]],
    ["state:Ready si|", ["state:Ready site:", "state:Ready silent:"]],
    ["site:a,b|", ["site:a,berlin-1 "]],
    ["sku:two|", ['sku:"two words" ']],
    ["site:b| state:Ready", ["site:berlin-1 state:Ready"]],
    ["is:needP|", ["is:needPerson "]],
    ["site:berlinn|", ["site:berlin-1 "]],
    ["site:a|", []],
    ["gpu-a-00|", []],
  ])("of %s", (text, expected) => expect(filters(text)).toEqual(expected));

  it("offers every key in an empty field, and puts the cursor behind what was written", () => {
    expect(at("|").map(({ words }) => words)).toContain("state:");
    expect(at("sta|")[0]).toMatchObject({ caret: "state:".length, about: "state of the host" });
  });

  it("never throws, and what it offers for a known key is understood", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.nat(30), (text, caret) => {
        for (const { filter, caret: after } of completions(text, Math.min(caret, text.length), stored))
          expect(after).toBeLessThanOrEqual(filter.length);
      }),
    );
    for (const { filter } of at("state:Fail|")) expect(parseHostFilter(filter).ok).toBe(true);
  });
});

describe("did you mean", () => {
  it.each([
    ["stat:Ready", "state:Ready"],
    ["state:Reddy", "state:Ready"],
    ["-state:Reday site:a", "-state:Ready site:a"],
    ["sku:dell-r75O-gpu", "sku:dell-r750-gpu"],
    ["is:needperson site:berln-1", "is:needperson site:berlin-1"],
    ["cause:NVMECleenFailed", "cause:NVMECleanFailed"],
  ])("%s", (filter, meant) => expect(didYouMean(filter, stored)).toBe(meant));
  it.each(["state:Ready", "site:ber*", "gpu-a-0001", "colour:red", "", "failure:3f2a9c01"])(
    "nothing else than %s",
    (filter) => expect(didYouMean(filter, stored)).toBeNull(),
  );
});
