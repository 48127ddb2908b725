// Formatting of values, tables and errors.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "@/server/testing/any-text";
import { exitCodes, exitCodesText } from "@/cli/exit-codes";
import { exitOfStatus, unreachable } from "@/cli/http";
import { EventParser } from "@/cli/live/event-stream";
import { placeOf } from "@/cli/live/follow";
import { ironicMessage } from "@/cli/commands/hosts/node";
import { coloured, factsText, fitWidths, layTable, wrapWords } from "@/cli/output/table";
import { durationText, parseDuration, plain, formatTime } from "@/cli/output/text";
import { allStates } from "@/server/domain/lifecycle/states";

describe("times", () => {
  it.each([
    [0, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 min"],
    [3_600_000, "1 h 00 min"],
    [61_320_000, "17 h 02 min"],
    [273_600_000, "3 d 04 h"],
    [-5, "0 s"],
  ])("%d ms: %s", (ms, words) => expect(durationText(ms)).toBe(words));
  it.each([
    ["90s", 90_000],
    ["15m", 900_000],
    ["15 min", 900_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["0s", 0],
  ])("%s is %d ms", (text, ms) => expect(parseDuration(text)).toBe(ms));
  it.each(["", "5", "h", "-5m", "1.5h", "5 weeks", "1h30m", "constructor", "5constructor"])(
    "%j is no length of time",
    (text) => expect(parseDuration(text)).toBeNull(),
  );
  it("are in UTC where that is wanted", () =>
    expect(formatTime(new Date("2026-11-21T14:43:19.999Z"), true)).toBe("2026-11-21 14:43:19Z"));
});

describe("times of this machine", () => {
  it("have their offset", () => {
    const at = new Date("2026-11-21T14:43:19.999Z");
    const words = formatTime(at, false);
    expect(words).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
    expect(new Date(words.replace(" ", "T")).getTime()).toBe(at.getTime() - 999);
  });
});

describe("texts", () => {
  it.each([
    ["a\u001b[31mb", "a?[31mb"],
    ["one\ntwo\r\n  three", "one; two; three"],
    ["\u009b2J", "?2J"],
    ["right\u202eleft", "right?left"],
    ["tab\there", "tab?here"],
    ["Größe ✓", "Größe ✓"],
  ])("%j are made plain", (text, words) => expect(plain(text)).toBe(words));
  it("have nothing left that steers a terminal, whatever comes", () => {
    fc.assert(fc.property(anyText(), (text) => !/[\u0000-\u001f\u007f-\u009f]/.test(plain(text))));
  });
});

describe("a table", () => {
  const columns = [
    { title: "name", whole: true },
    { title: "state", whole: true },
    { title: "since" },
    { title: "tenant" },
    { title: "rack" },
    { title: "detail", long: true },
  ];
  const sentence = "Drive S4EWNX0M, slot 3, refused Sanitize: its firmware does not support it. Replace it.";
  const rows = [
    [
      { text: "gpu-a-0417" },
      { text: "Failed/NVMECleanFailed", tone: "failed" as const },
      { text: "38 min" },
      { text: "Acme Research" },
      { text: "A01" },
      { text: sentence },
    ],
  ];
  const at = (width: number | null) =>
    layTable(columns, rows, { columns: width, colour: false, brief: true });
  it("puts sentences below their row where they have little room beside it", () =>
    expect(at(80)).toEqual({
      text: `NAME        STATE                   SINCE   TENANT         RACK
  DETAIL
gpu-a-0417  Failed/NVMECleanFailed  38 min  Acme Research  A01
  Drive S4EWNX0M, slot 3, refused Sanitize: its firmware does not support it.
  Replace it.
`,
      leftOut: [],
    }));
  it("wraps sentences beside the row where there is room, and says where there is more", () => {
    const lines = at(104).text.split("\n");
    expect(lines.slice(1)).toEqual([
      "gpu-a-0417  Failed/NVMECleanFailed  38 min  Acme Research  A01   Drive S4EWNX0M, slot 3, refused",
      `${" ".repeat(65)}Sanitize: its firmware does not suppor…`,
      "",
    ]);
  });
  it("wraps all of a sentence where it is not a list", () =>
    expect(layTable(columns, rows, { columns: 104, colour: false, brief: false }).text).toContain(
      "it. Replace it.\n",
    ));
  it("leaves out the columns on the right, never the state, and names them", () => {
    const { text, leftOut } = at(46);
    expect(leftOut).toEqual(["tenant", "rack"]);
    expect(text).toContain("gpu-a-0417  Failed/NVMECleanFailed  38 min\n");
    expect(at(30).text).toContain("Failed/NVMECleanFailed\n");
  });
  it("leaves out no column that was asked for", () =>
    expect(
      layTable(
        [
          { title: "a", kept: true },
          { title: "b", kept: true },
        ],
        [[{ text: "x".repeat(30) }, { text: "y".repeat(30) }]],
        { columns: 22, colour: false, brief: true },
      ),
    ).toEqual({ text: "A           B\nxxxxxxxxx…  yyyyyyyyy…\n", leftOut: [] }));
  it("cuts and leaves out nothing where there is no terminal", () =>
    expect(at(null)).toEqual({
      text: expect.stringContaining(`A01   ${sentence}\n`) as string,
      leftOut: [],
    }));
  it("is as wide as its terminal at most, with every state in full", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...allStates()),
        fc.string({ unit: "grapheme-ascii", maxLength: 200 }),
        fc.string({ unit: "grapheme-ascii", maxLength: 60 }),
        fc.integer({ min: 64, max: 200 }),
        (state, detail, tenant, width) => {
          const cells = ["gpu-a-0417", state, "17 h 02 min !", tenant, "A01", detail].map((text) => ({
            text,
          }));
          const { text } = layTable(columns, [cells], { columns: width, colour: false, brief: true });
          expect(text).toContain(state);
          expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
  it("never is wider than its terminal, unless that is too narrow to read", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 20, max: 200 }),
        (natural, total) => {
          const widths = fitWidths(natural, total);
          const sum = widths.reduce((all, width) => all + width, 2 * (widths.length - 1));
          expect(
            widths.every(
              (width, index) => width <= (natural[index] ?? 0) && width >= Math.min(8, natural[index] ?? 0),
            ),
          ).toBe(true);
          expect(sum <= total || widths.every((width) => width <= 8)).toBe(true);
        },
      ),
    );
  });
  it("has colour only where it is wanted, and around the text alone", () => {
    expect(coloured("x", "failed", true)).toBe("\u001b[31mx\u001b[0m");
    expect([
      coloured("x", "failed", false),
      coloured("x", "neutral", true),
      coloured("x", null, true),
    ]).toEqual(["x", "x", "x"]);
    expect(
      layTable([{ title: "a" }, { title: "b" }], [[{ text: "x", tone: "good" }, { text: "y" }]], {
        columns: 80,
        colour: true,
        brief: true,
      }).text,
    ).toBe("A  B\n\u001b[32mx\u001b[0m  y\n");
  });
});

describe("facts", () => {
  it("wrap in a terminal, below where they began", () =>
    expect(
      factsText([["says", { text: "Drive S4EWNX0M refused Sanitize: not supported" }]], {
        columns: 40,
        colour: false,
      }),
    ).toBe("says  Drive S4EWNX0M refused Sanitize:\n      not supported\n"));
  it("are one line each where there is no terminal", () =>
    expect(
      factsText([["says", { text: "x ".repeat(200).trim() }]], { columns: null, colour: false }).split("\n"),
    ).toHaveLength(2));
  it("lose nothing of a text that wraps", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme-ascii", maxLength: 200 }),
        fc.integer({ min: 5, max: 60 }),
        (text, width) => {
          const lines = wrapWords(text, width);
          expect(lines.every((line) => line.length <= width)).toBe(true);
          expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        },
      ),
    );
  });
});

describe("exit codes", () => {
  it("are each their own, and all explained", () => {
    const codes = Object.values(exitCodes).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { code, words } of Object.values(exitCodes))
      expect(exitCodesText()).toContain(`${code}  ${words}`);
  });
  it.each([
    [400, "failed"],
    [401, "forbidden"],
    [403, "forbidden"],
    [404, "notFound"],
    [409, "notNow"],
    [500, "failed"],
    [501, "failed"],
    [502, "unreachable"],
    [503, "unreachable"],
  ] as const)("of status %d: %s", (status, exit) => expect(exitOfStatus(status)).toBe(exit));
  it("of a certificate says what to do", () => {
    const error = unreachable(
      "https://x",
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
      }),
    );
    expect([error.exit, error.advice]).toEqual([
      "unreachable",
      expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    ]);
  });
});

describe("server-sent events", () => {
  const stream =
    ': hello\nretry: 2000\n\nid: 1.1.1\n\nevent: change\ndata: {"hostId":"a"}\n\nevent: change\r\nid: 2.2.2\r\ndata: {"hostId":"b"}\r\n\r\nevent: reset\nid: 3.3.3\ndata: {}\n\n';
  const expected = [
    { type: "change", data: '{"hostId":"a"}', lastId: "1.1.1" },
    { type: "change", data: '{"hostId":"b"}', lastId: "2.2.2" },
    { type: "reset", data: "{}", lastId: "3.3.3" },
  ];
  it("are the same however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 20 }), (cuts) => {
        const parser = new EventParser();
        const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
        expect(
          places.flatMap((from, index) => parser.add(stream.slice(from, places[index + 1] ?? stream.length))),
        ).toEqual(expected);
        expect(parser.lastId).toBe("3.3.3");
      }),
    );
  });
});

describe("a host that is waited for", () => {
  it.each([
    ["Ready", "ready", "there"],
    ["Failed/NVMECleanFailed", "ready", "failed"],
    ["Failed/NVMECleanFailed", "manageable", "failed"],
    ["Failed/NVMECleanFailed", "failed", "there"],
    ["Ready", "failed", "in progress"],
    ["Assigned/Ready", "ready", "in progress"],
    ["Manageable", "ready", "in progress"],
    ["Manageable", "manageable", "there"],
  ] as const)("in %s, until %s: %s", (state, goal, place) =>
    expect(placeOf({ state, stateVersion: "5" }, goal, null)).toBe(place),
  );
  it.each([
    ["4", "there"],
    ["5", "in progress"],
    ["10", "in progress"],
  ])("is there only after version %s: %s", (after, place) =>
    expect(placeOf({ state: "Ready", stateVersion: "5" }, "ready", after)).toBe(place),
  );
});

describe("Ironic's errors", () => {
  it.each([
    [
      '{"error_message":"{\\"faultcode\\":\\"Client\\",\\"faultstring\\":\\"Node x could not be found.\\",\\"debuginfo\\":null}"}',
      "Node x could not be found.",
    ],
    ['{"error_message":{"faultcode":"Client","faultstring":"No.","debuginfo":null}}', "No."],
    ['{"error_message":"plain words"}', "plain words"],
    ['{"errors":[{"detail":"Version 9.9 was requested"}]}', "Version 9.9 was requested"],
    ['{"error":{"message":"Incorrect username or password","code":401}}', "Incorrect username or password"],
    ["<html>", null],
    ["{}", null],
  ])("%s", (text, words) => expect(ironicMessage(text)).toBe(words));
});
