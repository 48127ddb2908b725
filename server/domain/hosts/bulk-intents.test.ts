// Which bulk acts ask to type the number of hosts.
import { describe, expect, it } from "vitest";
import { isLarge } from "@/server/domain/hosts/bulk-intents";

describe("a bulk act is large", () => {
  it.each([
    ["manage", false, [], false],
    ["manage", false, [{ now: 90, after: 80 }], false],
    ["manage", false, [{ now: 90, after: 79 }], true],
    [
      "manage",
      false,
      [
        { now: 50, after: 44 },
        { now: 50, after: 45 },
      ],
      true,
    ],
    ["manage", false, [{ now: 1, after: 0 }], true],
    ["retry", true, [], true],
    ["decommission", false, [], true],
    ["forceDelete", false, [], true],
  ] as const)("%s, erases: %s, Ready hosts %j: %s", (intent, erases, ready, large) =>
    expect(isLarge(intent, erases, ready)).toBe(large),
  );
});
