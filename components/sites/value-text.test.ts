// Values of settings in a list of changes.
import { expect, it } from "vitest";
import { formatValue, formatWholeValue } from "@/components/sites/value-text";

it.each([
  [["policy", "times", "holdMs"], 14_400_000, "4 h"],
  [["policy", "requires", "healthy"], false, "off"],
  [["policy", "provisioningNetworks"], ["10.1.0.0/16", "loopback"], "10.1.0.0/16, loopback"],
  [
    ["networkController"],
    { url: "https://network.example", token: { stored: true } },
    "url: https://network.example; token: stored",
  ],
  [
    ["tenants", "acme"],
    { name: "Acme", networkAllocation: true, targetedInstanceCreation: false, instanceQuota: null },
    "name: Acme; networkAllocation: on; targetedInstanceCreation: off; instanceQuota: none",
  ],
])("%j %j", (path, value, words) => {
  expect(formatValue(path, value)).toBe(words);
});

it("cuts a long value in a list, and shows all of it to who decides", () => {
  const value = { url: `https://${"a".repeat(300)}.end` };
  expect(formatValue(["networkController"], value)).toHaveLength(160);
  expect(formatWholeValue(["networkController"], value)).toBe(`url: ${value.url}`);
});
