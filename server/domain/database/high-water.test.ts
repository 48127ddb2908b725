// Detects an older database than the one served before. An unknown database does not count as current.
import { describe, expect, it } from "vitest";
import { mergeMarks, databaseStatus } from "@/server/domain/database/high-water";
import type { DatabasePosition } from "@/server/domain/database/high-water";

const [lineage, other] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const at: DatabasePosition = { lineage, epoch: 2, sequence: 100, hasHosts: true, confirmed: false };

describe("databaseStatus", () => {
  it("takes a database that is as far as the mark, or further", () => {
    for (const known of [
      { epoch: 2, sequence: 100 },
      { epoch: 2, sequence: 7 },
      { epoch: 1, sequence: 4_000 },
    ])
      expect(databaseStatus(at, { [lineage]: known })).toEqual({ kind: "current" });
  });

  it("stops an older one, by sequence and by epoch, whoever else has confirmed it", () => {
    for (const known of [
      { epoch: 2, sequence: 101 },
      { epoch: 3, sequence: 1 },
    ]) {
      expect(databaseStatus({ ...at, confirmed: true }, { [lineage]: known })).toMatchObject({
        kind: "stopped",
        cause: "older",
        message: expect.stringContaining("after-restore"),
      });
    }
  });

  it("stops one in the place of another, unless no host is in it", () => {
    const known = { [other]: { epoch: 1, sequence: 5 } };
    expect(databaseStatus({ ...at, epoch: 1, sequence: 0 }, known)).toMatchObject({
      kind: "stopped",
      cause: "otherDatabase",
    });
    expect(databaseStatus({ ...at, hasHosts: false }, known)).toEqual({ kind: "current" });
  });

  it("without a mark trusts only what others confirm, what nobody ever marked, and what is empty", () => {
    expect(databaseStatus(at, {})).toMatchObject({ kind: "stopped", cause: "noMark" });
    expect(databaseStatus({ ...at, confirmed: true }, {})).toEqual({ kind: "current" });
    expect(databaseStatus({ ...at, epoch: 1, sequence: 0 }, {})).toEqual({ kind: "current" });
    expect(databaseStatus({ ...at, epoch: 2, sequence: 0 }, {})).toMatchObject({ kind: "stopped" });
    expect(databaseStatus({ ...at, hasHosts: false }, {})).toEqual({ kind: "current" });
  });
});

it("mergeMarks keeps the later of each", () => {
  expect(
    mergeMarks(
      { [lineage]: { epoch: 1, sequence: 9 } },
      { [lineage]: { epoch: 2, sequence: 1 }, [other]: { epoch: 1, sequence: 1 } },
    ),
  ).toEqual({ [lineage]: { epoch: 2, sequence: 1 }, [other]: { epoch: 1, sequence: 1 } });
  expect(
    mergeMarks({ [lineage]: { epoch: 1, sequence: 9 } }, { [lineage]: { epoch: 1, sequence: 8 } }),
  ).toEqual({ [lineage]: { epoch: 1, sequence: 9 } });
});
