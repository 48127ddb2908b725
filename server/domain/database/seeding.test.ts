// Which databases `npm start` seeds with demo data.
import { describe, expect, it } from "vitest";
import { seedingOf } from "@/server/domain/database/seeding";
import type { DatabaseContent } from "@/server/domain/database/seeding";

const empty: DatabaseContent = { marker: null, sites: 0, people: 0, hosts: 0, otherFleet: false };

describe("seedingOf", () => {
  it("seeds an empty database, with and without a fleet", () => {
    expect(seedingOf(empty, true)).toEqual({ kind: "seed", marker: "fleet" });
    expect(seedingOf(empty, false)).toEqual({ kind: "seed", marker: "people" });
  });

  it.each([{ sites: 1 }, { people: 1 }, { hosts: 1 }])(
    "refuses a fleet in a database that somebody else filled: %j",
    (content) => {
      expect(seedingOf({ ...empty, ...content }, true)).toMatchObject({
        kind: "refuse",
        message: expect.stringContaining("--empty"),
      });
      expect(seedingOf({ ...empty, ...content }, false)).toEqual({ kind: "leave" });
    },
  );

  it("goes on in what it made itself", () => {
    const content = { ...empty, sites: 1, people: 6 };
    expect(seedingOf({ ...content, marker: "fleet", hosts: 200 }, true)).toEqual({
      kind: "seed",
      marker: "fleet",
    });
    expect(seedingOf({ ...content, marker: "people" }, true)).toEqual({ kind: "seed", marker: "fleet" });
    expect(seedingOf({ ...content, marker: "fleet", hosts: 200 }, false)).toEqual({
      kind: "seed",
      marker: "fleet",
    });
  });

  it("adds no fleet beside hosts that people enrolled", () => {
    expect(seedingOf({ ...empty, marker: "people", sites: 1, people: 6, hosts: 3 }, true)).toMatchObject({
      kind: "refuse",
      message: expect.stringContaining("3 hosts"),
    });
  });

  it("does not take over the fleet of another folder", () => {
    expect(
      seedingOf({ ...empty, marker: "fleet", sites: 1, people: 6, hosts: 3, otherFleet: true }, true),
    ).toMatchObject({ kind: "refuse", message: expect.stringContaining("--data") });
  });
});
