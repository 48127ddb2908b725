// Presets according to the table of techniques, and what a policy would mean for a drive and for what is recorded.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import { basisText } from "@/server/domain/cleaning/policy/basis";
import { expectationOf } from "@/server/domain/cleaning/policy/expectation";
import type { DriveEvidence, JudgedDrive } from "@/server/domain/cleaning/policy/expectation";
import { foreseeErase, untold } from "@/server/domain/cleaning/policy/erase-effect";
import type { KnownDrives, RecordedResults } from "@/server/domain/cleaning/policy/erase-effect";
import type { Sanitization } from "@/server/domain/cleaning/sanitization/judge";
import { counts, presetNames, presetOfPolicy, presets } from "@/server/domain/cleaning/policy/presets";
import type { PresetName } from "@/server/domain/cleaning/policy/presets";
import { levels, standards, techniques } from "@/server/domain/cleaning/sanitization/techniques";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

const usual = defaultPolicy().sanitization;
const withPreset = (name: PresetName): Sanitization => {
  const { standard, minimum, techniques: lists } = presets[name];
  return {
    ...usual,
    standard,
    minimum: { ...minimum },
    erase: {
      ...usual.erase,
      techniques: {
        nvme: [...lists.nvme],
        ssd: [...lists.ssd],
        hdd: [...lists.hdd],
        "raid-kit": [...lists["raid-kit"]],
      },
    },
  };
};
const [ieee, r1, clear] = [
  withPreset("ieee-2883-purge"),
  withPreset("sp-800-88r1-purge"),
  withPreset("clear"),
];
const evidence = (completed: readonly Technique[], refused: readonly Technique[] = []): DriveEvidence => ({
  completed,
  refused,
});
const nvme = (of: DriveEvidence | null): JudgedDrive => ({ media: "nvme", transport: "nvme", evidence: of });
const sanitizes: Technique[] = ["nvme-sanitize-crypto", "nvme-sanitize-block", "nvme-sanitize-overwrite"];
const formatsOnly = evidence(["nvme-format-user-data"], sanitizes);

describe("presets", () => {
  it("name for each medium at least one technique, and only such as count", () => {
    for (const name of presetNames) {
      const { standard, minimum, techniques: lists } = presets[name];
      for (const media of mediaKinds) {
        expect(lists[media].length).toBeGreaterThan(0);
        for (const technique of lists[media]) expect(counts(technique, standard, minimum[media])).toBe(true);
      }
    }
  });

  it("differ where standards do: a user-data Format is Purge under SP 800-88 Rev. 1 only", () => {
    expect(presets["sp-800-88r1-purge"].techniques.nvme).toEqual(["nvme-format-user-data"]);
    expect(presets["ieee-2883-purge"].techniques.nvme).toEqual(sanitizes);
    expect(presets["ieee-2883-purge"].minimum).toMatchObject({ nvme: "purge", "raid-kit": "clear" });
    expect(presets.clear.techniques.nvme).toEqual([...sanitizes, "nvme-format-user-data"]);
  });

  it("are recognized, and a policy of its own is none", () => {
    for (const name of presetNames) expect(presetOfPolicy(presets[name])).toBe(name);
    expect(presetOfPolicy({ ...usual, techniques: usual.erase.techniques })).toBeNull();
  });
});

describe("a drive under a policy", () => {
  it.each<[string, JudgedDrive, Sanitization, object]>([
    [
      "completed what the policy asks for first",
      nvme(evidence(["nvme-sanitize-crypto"])),
      ieee,
      { kind: "meets", technique: "nvme-sanitize-crypto" },
    ],
    [
      "refused the first, completed the second",
      nvme(evidence(["nvme-sanitize-block"], ["nvme-sanitize-crypto"])),
      ieee,
      { kind: "meets", technique: "nvme-sanitize-block" },
    ],
    [
      "has no fallback",
      nvme(evidence(["nvme-sanitize-block"], ["nvme-sanitize-crypto"])),
      { ...ieee, erase: { ...ieee.erase, fallback: false } },
      { kind: "cannot", reason: /refused every technique/ },
    ],
    [
      "only formats, under IEEE 2883 Purge",
      nvme(formatsOnly),
      ieee,
      { kind: "cannot", reason: /refused every/ },
    ],
    [
      "only formats, under SP 800-88 Rev. 1",
      nvme(formatsOnly),
      r1,
      { kind: "meets", technique: "nvme-format-user-data" },
    ],
    [
      "is erased by something that does not count",
      nvme(evidence(["nvme-format-user-data"], sanitizes)),
      { ...usual },
      { kind: "cannot", reason: /nvme-format-crypto counts only with an approved exception/ },
    ],
    [
      "sanitizes, under a policy that formats",
      nvme(evidence(["nvme-sanitize-crypto"])),
      r1,
      { kind: "unknown", reason: /was never queried for nvme-format-user-data/ },
    ],
    ["was never erased", nvme(null), ieee, { kind: "unknown", reason: /no erase of it is recorded/ }],
    [
      "speaks something that is not known",
      { media: "ssd", transport: "usb", evidence: null },
      ieee,
      { kind: "unknown", reason: /not recorded/ },
    ],
    [
      "has no technique in the policy",
      { media: "hdd", transport: "sas", evidence: null },
      {
        ...ieee,
        erase: {
          ...ieee.erase,
          techniques: {
            ...ieee.erase.techniques,
            hdd: ["ata-sanitize-crypto"],
          },
        },
      },
      { kind: "cannot", reason: /has no technique/ },
    ],
    [
      "is erased by its BMC",
      { media: "ssd", transport: "sata", evidence: evidence(["dell-boss-decommission"]) },
      ieee,
      { kind: "meets", technique: "dell-boss-decommission" },
    ],
    [
      "is of a RAID kit, and the policy asks for more than it can",
      { media: "raid-kit", transport: "nvme", evidence: evidence(["raid-kit-format"]) },
      { ...ieee, minimum: { ...ieee.minimum, "raid-kit": "purge" } },
      { kind: "cannot", reason: /raid-kit-format is clear under ieee-2883/ },
    ],
  ])("that %s", (_what, drive, policy, expected) => {
    const told = expectationOf(drive, policy);
    const wanted = Object.fromEntries(
      Object.entries(expected).map(([name, value]: [string, unknown]) => [
        name,
        value instanceof RegExp ? expect.stringMatching(value) : value,
      ]),
    );
    expect(told).toMatchObject(wanted);
  });

  const offers = (
    of: DriveEvidence | null,
    offered: readonly Technique[],
    refused: readonly Technique[],
  ): JudgedDrive => ({ ...nvme(of), reported: { offers: offered, refuses: refused } });

  it.each<[string, JudgedDrive, object]>([
    [
      "was never erased, and offers what the policy asks for",
      offers(null, ["nvme-sanitize-crypto"], []),
      { kind: "meets", technique: "nvme-sanitize-crypto", basis: "reported" },
    ],
    [
      "was never erased, and refuses every technique of the policy",
      offers(null, ["nvme-format-user-data"], sanitizes),
      { kind: "cannot", reason: expect.stringMatching(/^it refuses every/), basis: "reported" },
    ],
    [
      "was erased by something else, and refuses every technique of the policy",
      offers(evidence(["nvme-format-user-data"]), ["nvme-format-user-data"], sanitizes),
      { kind: "cannot", basis: "reported" },
    ],
    [
      "completed a technique that it says it refuses",
      offers(evidence(["nvme-sanitize-crypto"]), [], sanitizes),
      { kind: "meets", basis: "recorded" },
    ],
    [
      "did not complete a technique that it offers, and refuses the others",
      offers(evidence([], ["nvme-sanitize-crypto"]), ["nvme-sanitize-crypto"], sanitizes.slice(1)),
      { kind: "cannot", basis: "reported" },
    ],
    [
      "could not be asked",
      offers(null, [], []),
      { kind: "unknown", reason: expect.stringMatching(/^it did not report/) },
    ],
    [
      "refuses some and does not tell of the others",
      offers(evidence([]), [], sanitizes.slice(0, 1)),
      {
        kind: "unknown",
        reason: expect.stringMatching(/^it did not report whether it supports nvme-sanitize-block/),
      },
    ],
  ])("that %s", (_what, drive, expected) => {
    expect(expectationOf(drive, ieee)).toMatchObject(expected);
  });

  it("is judged by those of its model last, and never against what it said itself", () => {
    const ofModel = evidence(["nvme-sanitize-crypto"]);
    expect(expectationOf(nvme(null), ieee, ofModel)).toMatchObject({ kind: "meets", basis: "model" });
    expect(expectationOf(offers(null, [], sanitizes), ieee, ofModel)).toMatchObject({
      kind: "cannot",
      basis: "reported",
    });
    expect(expectationOf(nvme(evidence(["nvme-format-user-data"])), ieee, ofModel)).toMatchObject({
      kind: "unknown",
    });
  });

  it("follows from the policy alone where it names no technique that counts", () => {
    const none = { ...ieee, erase: { ...ieee.erase, techniques: { ...ieee.erase.techniques, nvme: [] } } };
    expect(expectationOf(nvme(null), none)).toMatchObject({ kind: "cannot", basis: "policy" });
  });

  it("never meets it by a technique that does not count", () => {
    const some = fc.subarray([...techniques]);
    const policy = fc
      .record({
        standard: fc.constantFrom(...standards),
        minimum: fc.constantFrom(...levels),
        list: some,
        fallback: fc.boolean(),
      })
      .map(({ standard, minimum, list, fallback }): Sanitization => ({
        ...usual,
        standard,
        minimum: { ...usual.minimum, nvme: minimum },
        erase: { ...usual.erase, fallback, techniques: { ...usual.erase.techniques, nvme: list } },
      }));
    fc.assert(
      fc.property(policy, some, some, (sanitization, completed, refused) => {
        const told = expectationOf(nvme(evidence(completed, refused)), sanitization);
        if (told.kind !== "meets") return;
        expect(counts(told.technique, sanitization.standard, sanitization.minimum.nvme)).toBe(true);
        expect(completed).toContain(told.technique);
      }),
    );
  });
});

const known = (model: string, count: number, of: DriveEvidence | null): KnownDrives => ({
  ...nvme(of),
  model,
  firmware: "1.0",
  count,
});
const result = (
  reclamations: readonly string[],
  of: DriveEvidence,
  changes: Partial<RecordedResults> = {},
): RecordedResults => ({
  media: "nvme",
  transport: "nvme",
  model: "P5520",
  evidence: of,
  verdict: "sanitized",
  verified: true,
  reclamations,
  ...changes,
});

it("what drives were judged by is one thing, or counted", () => {
  const none = { policy: 0, recorded: 0, reported: 0, model: 0 };
  expect(basisText(none)).toBe("");
  expect(basisText({ ...none, reported: 4 })).toBe("reported capabilities");
  expect(basisText({ ...none, recorded: 1, model: 2 })).toBe(
    "recorded results (1), same model and firmware (2)",
  );
});

describe("what would change", () => {
  it("is told by model: drives without a record by those of their firmware, others are unknown", () => {
    const drives: KnownDrives[] = [
      known("formats", 3, formatsOnly),
      known("formats", 2, null),
      known("sanitizes", 4, evidence(["nvme-sanitize-crypto"])),
      known("new", 5, null),
      { ...known("reports", 2, null), reported: { offers: ["nvme-sanitize-block"], refuses: [] } },
      { ...known("reports", 1, null), reported: { offers: ["nvme-format-user-data"], refuses: sanitizes } },
      known("reports", 6, null),
    ];
    expect(foreseeErase(r1, ieee, drives, []).models).toMatchObject([
      {
        ...{ model: "formats", media: "nvme", drives: 5, meets: 0, cannot: 5, unknown: 0, cannotNow: 0 },
        basis: { policy: 0, recorded: 3, reported: 0, model: 2 },
        reason: `it refused every technique of the policy: ${sanitizes.join(", ")}`,
      },
      // One by its own report, six by what others of their model reported.
      {
        ...{ model: "reports", meets: 8, cannot: 1, unknown: 0 },
        basis: { policy: 0, recorded: 0, reported: 3, model: 6 },
      },
      {
        ...{ model: "new", media: "nvme", drives: 5, meets: 0, cannot: 0, unknown: 5, cannotNow: 0 },
        reason: "no erase of it is recorded",
      },
      {
        ...{ model: "sanitizes", media: "nvme", drives: 4, meets: 4, cannot: 0, unknown: 0, cannotNow: 0 },
        reason: null,
      },
    ]);
  });

  it("is told of reclamations: one that would stop, one that would pass, one of which nothing tells", () => {
    const results = [
      result(["a", "b"], evidence(["nvme-sanitize-crypto"])),
      result(["b", "c"], formatsOnly),
      result(["d"], formatsOnly, { verdict: "failed" }),
    ];
    expect(foreseeErase(r1, ieee, [], results)).toMatchObject({
      stops: [
        { reclamation: "b", reason: expect.stringMatching(/^P5520: it refused every technique/) },
        { reclamation: "c" },
      ],
      passes: [],
      unknown: [],
      same: 2,
    });
    // Under IEEE 2883 Purge the format failed only because of the policy; under Clear it counts.
    expect(
      foreseeErase(
        { ...ieee, erase: clear.erase },
        clear,
        [],
        [
          result(["d"], formatsOnly, { verdict: "failed" }),
          result(["a"], evidence(["nvme-sanitize-crypto"])),
        ],
      ),
    ).toMatchObject({ stops: [], passes: ["d"], unknown: [], same: 1 });
    expect(foreseeErase(ieee, r1, [], results.slice(0, 1))).toMatchObject({ unknown: ["a", "b"], same: 0 });
  });

  it("leaves a drive failed that reading back refuted", () => {
    const refuted = result(["d"], formatsOnly, { verdict: "failed", verified: false });
    expect(foreseeErase({ ...ieee, erase: clear.erase }, clear, [], [refuted])).toMatchObject({
      passes: [],
      same: 1,
    });
  });

  it("is never that a policy changes something against itself", () => {
    expect(foreseeErase(ieee, ieee, [], [result(["a"], evidence(["nvme-sanitize-crypto"]))])).toMatchObject({
      stops: [],
      passes: [],
      unknown: [],
      same: 1,
    });
  });

  it("says of which settings no record tells", () => {
    expect(untold(ieee, ieee)).toEqual([]);
    expect(
      untold(ieee, {
        ...ieee,
        excludedMedia: [{ reason: "stick" }],
        erase: { ...ieee.erase, samplesPerDevice: 1, noProgressTimeoutMs: 1 },
      }),
    ).toHaveLength(3);
  });
});
