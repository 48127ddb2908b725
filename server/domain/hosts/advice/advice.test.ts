// The advice for a failed host remembers: a table of what was tried, with what to do first and what is said.
import { describe, expect, it } from "vitest";
import { causeKeys } from "@/server/domain/cleaning/failures/cause";
import type { Cause, CauseKey } from "@/server/domain/cleaning/failures/cause";
import { ticketParts } from "@/server/domain/break-fix/ticket";
import { causeTable } from "@/server/domain/cleaning/failures/table/table";
import { replaceAfter } from "@/server/domain/cleaning/failures/text";
import { adviceOf, exceptedText } from "@/server/domain/hosts/advice/advice";
import { ticketToReplace } from "@/server/domain/hosts/advice/replace-drive";
import { nothingTried } from "@/server/domain/hosts/advice/tried";
import type { TriedDrive, TriedException } from "@/server/domain/hosts/advice/tried";

const drive: TriedDrive = {
  serial: "S6XNNA0T",
  slot: "3",
  model: "CM6",
  firmware: "1.2",
  stops: 1,
  replaceAfter: 2,
  check: "Replace it.",
  ticket: null,
  gone: false,
  successor: null,
  signature: null,
  contradiction: null,
};
const again = { ...drive, stops: 2 };
const usual = "Retry once: the erase starts over.";
const cause = (key: CauseKey, serial = drive.serial): Cause => ({
  key,
  device: { kind: "drive", serial },
  raw: "",
});
const until = new Date("2026-12-05T10:00:00Z");
const exception = (approvedBy: string | null): TriedException => ({
  gate: "storageSanitized",
  drive: "S6XNNA0T",
  approvedBy,
  validUntil: until,
});

describe("a drive that failed", () => {
  it.each<[string, Partial<TriedDrive>, string | null, RegExp]>([
    ["for the first time", {}, null, /^Retry once: the erase starts over\.$/],
    [
      "again",
      { stops: 2 },
      "replaceDrive",
      /^Drive S6XNNA0T in slot 3 has stopped this host 2 times .*Replace/,
    ],
    ["again, with a ticket", { stops: 2, ticket: "BF-1" }, "inspect", /^Ticket BF-1 .* Read inventory again/],
    ["and has a ticket already", { ticket: "BF-1" }, "inspect", /^Ticket BF-1 /],
    [
      "and was taken out",
      { stops: 3, ticket: "BF-1", gone: true },
      "disposeDrive",
      /is not in the host any more\./,
    ],
    [
      "and was replaced",
      { ticket: "BF-1", gone: true, successor: "NEW1" },
      "disposeDrive",
      /its slot holds drive NEW1 now\. .*another person signs/,
    ],
    [
      "and waits for its signature",
      { gone: true, signature: "waits" },
      null,
      /waits for another person's signature/,
    ],
    [
      "and its disposition was rejected",
      { gone: true, signature: "rejected" },
      "disposeDrive",
      /it was rejected/,
    ],
    [
      "and its disposition was rejected, and the drive is there",
      { signature: "rejected", contradiction: "an inventory still lists it" },
      "inspect",
      /it was rejected, and an inventory still lists it\. If the drive is out, use Read inventory again/,
    ],
    ["and has one signature of an old release", { gone: true, signature: "one" }, "disposeDrive", /again\.$/],
    [
      "and its disposition is signed, and the drive is there",
      { signature: "signed", contradiction: "an inventory still lists it" },
      "inspect",
      /has no effect: an inventory still lists it\. .* withdraw the disposition/,
    ],
    [
      "and its disposition is signed",
      { gone: true, signature: "signed", successor: "NEW1" },
      "restart",
      /Restart plan: .* erases drive NEW1\.$/,
    ],
  ])("%s", (_when, tried, act, words) => {
    const advice = adviceOf(usual, cause("eraseFailed"), {
      ...nothingTried,
      drives: [{ ...drive, ...tried }],
    });
    expect(advice?.act).toBe(act);
    expect(advice?.text).toMatch(words);
    expect(advice?.replace.length).toBe(act === "replaceDrive" ? 1 : 0);
  });

  it("comes before another whose replacement has begun, and all that are due are in one ticket", () => {
    const drives = [
      { ...again, serial: "A", ticket: "BF-1" },
      { ...again, serial: "B" },
      { ...again, serial: "C" },
    ];
    const advice = adviceOf(usual, cause("eraseRefused"), { ...nothingTried, drives });
    expect(advice?.replace.map(({ serial }) => serial)).toEqual(["B", "C"]);
  });

  it("is replaced at once if it lied, and never for what another drive would not change", () => {
    const one = { ...nothingTried, drives: [{ ...drive, replaceAfter: 1 }] };
    expect(adviceOf(usual, cause("contentLeft"), one)).toMatchObject({
      act: "replaceDrive",
      text: "Replace it.",
    });
    const often = { ...nothingTried, drives: [{ ...drive, stops: 9, replaceAfter: null }] };
    expect(adviceOf(usual, cause("driveLocked"), often)).toMatchObject({ act: null, text: usual });
  });

  it("is judged by its own cause, not by that of the first drive", () => {
    const locked = { ...drive, serial: "A", stops: 9, replaceAfter: null };
    const lied = { ...drive, serial: "B", replaceAfter: 1, check: "Replace B." };
    const advice = adviceOf(usual, cause("driveLocked", "A"), { ...nothingTried, drives: [locked, lied] });
    expect(advice).toMatchObject({ act: "replaceDrive", text: "Replace B." });
    expect(advice?.replace).toEqual([lied]);
    expect(
      adviceOf(usual, cause("contentLeft", "B"), {
        ...nothingTried,
        drives: [{ ...lied, ticket: "BF-1" }, locked],
      }),
    ).toMatchObject({ act: "inspect", replace: [] });
  });

  it("is about drives only: no cause of anything else calls for another drive", () => {
    for (const key of causeKeys)
      if (replaceAfter(key) !== null)
        expect(causeTable[key].check({ key, raw: "" }, false)).toMatch(/eplace/);
    expect(replaceAfter("bmcSilent")).toBeNull();
  });
});

describe("an exception", () => {
  const tried = (approvedBy: string | null) => ({ drives: [again], exceptions: [exception(approvedBy)] });
  it("that was approved is what to go on with", () =>
    expect(adviceOf(usual, cause("eraseFailed"), tried("Mercy"))).toMatchObject({
      act: "retry",
      text: "Mercy approved the exception for drive S6XNNA0T, which holds until 2026-12-05 10:00:00 UTC. Use Retry step: the reclamation continues where it stopped.",
    }));
  it("that waits is said, and no act is better meanwhile", () =>
    expect(adviceOf(usual, cause("eraseFailed"), tried(null))).toMatchObject({
      act: null,
      text: expect.stringContaining("waits for another person's approval"),
    }));
  it("that was approved counts before one that waits", () =>
    expect(adviceOf(null, null, { drives: [], exceptions: [exception(null), exception("Mercy")] })?.act).toBe(
      "retry",
    ));
  it("hides nothing that it is not about", () => {
    const other = { ...again, serial: "B" };
    const approved = exception("Mercy");
    expect(
      adviceOf(usual, cause("eraseFailed"), { drives: [again, other], exceptions: [approved] }),
    ).toMatchObject({
      act: "replaceDrive",
      text: expect.stringMatching(/^Drive B in slot 3 .* Mercy approved the exception for drive S6XNNA0T/),
      replace: [other],
    });
    expect(
      adviceOf(usual, { key: "bmcSilent", raw: "" }, { drives: [], exceptions: [approved] }),
    ).toMatchObject({ act: null, text: expect.stringMatching(/^Retry once: .* Mercy approved/) });
    const waits = { ...exception(null), gate: "tpmCleared", drive: null };
    expect(adviceOf(null, null, { drives: [], exceptions: [waits, approved] })).toMatchObject({
      act: null,
      text: expect.stringMatching(/^Mercy approved .* An exception for gate tpmCleared waits/),
    });
  });
  it("for a drive covers the gate that the host stopped for, and no other", () => {
    const stopped = (gates: string): Cause => ({ key: "gateUnsatisfied", facts: { gates }, raw: "" });
    const approved = exception("Mercy");
    expect(
      adviceOf(usual, stopped("storageSanitized"), { drives: [], exceptions: [approved] }),
    ).toMatchObject({ act: "retry", text: expect.stringMatching(/^Mercy approved .* for drive S6XNNA0T/) });
    const gate = { ...approved, gate: "memoryOverwritten", drive: null };
    const both = stopped("memoryOverwritten, inventoryMatches");
    expect(adviceOf(usual, both, { drives: [], exceptions: [gate] })).toMatchObject({
      act: null,
      text: expect.stringMatching(/^Retry once: .* Mercy approved .* gate memoryOverwritten/),
    });
    const other = { ...gate, gate: "inventoryMatches" };
    expect(adviceOf(usual, both, { drives: [], exceptions: [gate, other] })).toMatchObject({
      act: "retry",
      text: expect.stringMatching(/^Mercy approved/),
    });
  });
  it.each([
    ["is not replaced for its cause", { replaceAfter: null }],
    ["is not due yet", { replaceAfter: 2 }],
  ])("for one drive leaves the check of another, which %s", (_which, over) => {
    const other = { ...drive, serial: "B", check: "Look at B.", ...over };
    const tried = { drives: [again, other], exceptions: [exception("Mercy")] };
    expect(adviceOf(usual, cause("eraseFailed"), tried)).toMatchObject({
      act: null,
      replace: [],
      text: expect.stringMatching(/^Look at B\. Mercy approved/),
    });
  });
  it("that a Ready host rests on is named with its end", () => {
    const gate = {
      ...exception("A"),
      gate: "tpmCleared",
      drive: null,
      validUntil: new Date("2027-01-01T00:00:00Z"),
    };
    expect(exceptedText([gate, exception("B")])).toBe(
      "Nothing: in allocation by an exception until 2026-12-05 10:00:00 UTC: gate tpmCleared is not satisfied and drive S6XNNA0T is not erased",
    );
    expect(exceptedText([exception(null)])).toBeNull();
  });
});

it("without anything tried is the usual check, and none if there is none", () => {
  expect(adviceOf(usual, { key: "bmcSilent", raw: "" }, nothingTried)).toEqual({
    text: usual,
    act: null,
    links: [],
    replace: [],
  });
  expect(adviceOf(null, null, nothingTried)).toBeNull();
});

describe("the ticket to replace a drive", () => {
  it("has slot, serial number and firmware, and a command that opens the same", () =>
    expect(ticketToReplace("gpu-1", [again], ["It failed.", "So did it before."])).toEqual({
      summary: "Replace drive S6XNNA0T in slot 3",
      details: "It failed.\nSo did it before.",
      parts: [{ kind: "drive", serial: "S6XNNA0T", firmware: "1.2", slot: "3" }],
      command:
        "reclaim tickets open --host gpu-1 --category drive --part 'drive:S6XNNA0T:1.2:3' --summary 'Replace drive S6XNNA0T in slot 3'",
    }));
  it("stays within what a ticket can hold", () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ ...again, serial: `S${n}`, slot: null }));
    const { summary, parts } = ticketToReplace("h", many, ["x".repeat(9_000)]);
    expect([summary.endsWith("and 14 more"), parts.length]).toEqual([true, 20]);
    expect(ticketToReplace("h", many, ["x".repeat(9_000)]).details.length).toBeLessThanOrEqual(8192);
  });
  it("names as many drives as a ticket can, and says that others follow", () => {
    const many = Array.from({ length: 70 }, (_, n) => ({ ...again, serial: `S${n}`, slot: "x".repeat(128) }));
    const ticket = ticketToReplace("h", many, ["It failed."]);
    expect(ticketParts.safeParse(ticket.parts).success).toBe(true);
    expect(ticket.details).toBe("6 more drives to replace: a second ticket names them.\nIt failed.");
    expect(ticket.summary.length).toBeLessThanOrEqual(1024);
  });
  it("quotes what a shell would read", () =>
    expect(ticketToReplace("h", [{ ...again, slot: "Bay 1's" }], []).command).toContain(
      "--part 'drive:S6XNNA0T:1.2:Bay 1'\\''s'",
    ));
});
