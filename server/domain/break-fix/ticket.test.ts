// Tables of who may change what in a ticket, and how a ticket ends.
import { describe, expect, it } from "vitest";
import {
  actionLabels,
  categoryOfIssue,
  categoryLabels,
  ticketActions,
  ticketCategories,
} from "@/server/domain/break-fix/categories";
import {
  audienceOf,
  changeByNote,
  changeRefusal,
  changeLines,
  closeRefusal,
  publicRef,
  ticketAuthors,
  ticketParts,
  ticketText,
} from "@/server/domain/break-fix/ticket";
import type { TicketAuthor, TicketChange, TicketOutcome } from "@/server/domain/break-fix/ticket";
import { issueCategories } from "@/server/domain/repair/health-issue";

const open = { state: "open", origin: "tenant" } as const;
const closed = { state: "closed", origin: "tenant" } as const;

describe("a change of a ticket", () => {
  it.each<[TicketAuthor, TicketChange, boolean]>([
    ["provider", { state: "waiting", category: "gpu", action: "replacedPart", externalRef: "RMA-1" }, true],
    ["provider", { replacementWanted: true }, true],
    ["tenant", {}, true],
    ["tenant", { replacementWanted: true }, true],
    ["tenant", { state: "inProgress" }, false],
    ["tenant", { externalRef: "x" }, false],
    ["tenant", { parts: [] }, false],
    ["repairTenant", { state: "inProgress", action: "reseated", parts: [], category: "gpu" }, true],
    ["repairTenant", { externalRef: "x" }, false],
    ["repairTenant", { replacementWanted: true }, false],
    ["system", { state: "repaired" }, true],
  ])("by %s of %o: %s", (author, change, allowed) =>
    expect(changeRefusal(open, author, change) === null).toBe(allowed),
  );
  it.each(ticketAuthors)("of a closed one is none by %s, but a note of the provider", (author) => {
    expect(changeRefusal(closed, author, { action: "reset" })).toMatch(/closed/);
    expect(changeRefusal(closed, author, {}) === null).toBe(author === "provider");
  });
  it("says who does not change what", () =>
    expect(changeRefusal(open, "tenant", { state: "waiting" })).toBe("The tenant does not change state"));
});

describe("the end of a ticket", () => {
  it.each<[TicketAuthor, TicketOutcome, Parameters<typeof closeRefusal>[0], boolean]>([
    ["provider", "returned", { state: "repaired", origin: "release" }, true],
    ["system", "returned", { state: "repaired", origin: "release" }, true],
    ["tenant", "withdrawn", open, true],
    ["tenant", "returned", open, false],
    ["tenant", "withdrawn", { state: "inProgress", origin: "tenant" }, false],
    ["tenant", "withdrawn", { state: "open", origin: "release" }, false],
    ["repairTenant", "returned", open, false],
    ["provider", "returned", closed, false],
  ])("by %s, %s, of %o: %s", (author, outcome, ticket, allowed) =>
    expect(closeRefusal(ticket, author, outcome) === null).toBe(allowed),
  );
});

describe("a note", () => {
  it.each([
    ["provider", undefined, "internal"],
    ["provider", "shared", "shared"],
    ["tenant", "internal", "shared"],
    ["repairTenant", "shared", "internal"],
    ["system", undefined, "shared"],
  ] as const)("of %s asked %s is %s", (author, asked, audience) =>
    expect(audienceOf(author, asked)).toBe(audience),
  );
  it.each([
    ["tenant", "still broken", "repaired", "open"],
    ["tenant", "", "repaired", undefined],
    ["tenant", "still broken", "waiting", undefined],
    ["provider", "still broken", "repaired", undefined],
    ["repairTenant", "still broken", "repaired", undefined],
  ] as const)("of %s, '%s', on a ticket that is %s makes it %s", (author, note, state, expected) =>
    expect(changeByNote({ state, origin: "onlineRepair" }, author, note).state).toBe(expected),
  );
  it("has lines, and no control characters", () => {
    expect(ticketText(20).safeParse("a\nb").success).toBe(true);
    expect(ticketText(20).safeParse("a\0b").success).toBe(false);
    expect(ticketText(3).safeParse("abcd").success).toBe(false);
  });
});

describe("a reference", () => {
  it("is read aloud without a doubt, and random", () => {
    expect(publicRef("BF", new Uint8Array([0, 31, 32, 255, 10, 20, 21, 22, 23, 24]))).toBe("BF-0Z0ZAMNPQR");
    expect(publicRef("BF", new Uint8Array(10).fill(19))).not.toMatch(/[ILOU]/);
  });
});

it("has words for each category and action, and a category for each issue", () => {
  for (const category of ticketCategories) expect(categoryLabels[category]).not.toBe("");
  for (const action of ticketActions) expect(actionLabels[action]).not.toBe("");
  for (const issue of issueCategories) expect(ticketCategories).toContain(categoryOfIssue[issue]);
});

it("tells what changed, also where a later release wrote it", () => {
  expect(changeLines({ state: "waiting", action: "replacedPart", parts: [], outcome: "retired" })).toEqual([
    "state: waiting",
    "action: part replaced",
    "the machine is retired",
    "parts",
  ]);
  expect(changeLines({ state: "nobodyKnows", replacementWanted: false })).toEqual(["no replacement wanted"]);
  const replaced = { outcome: "replaced", replacementHostId: "h-2", replacementInstanceId: null };
  expect(changeLines(replaced)).toContain("replacement assigned");
});

it("takes parts with serials", () => {
  expect(ticketParts.parse([{ kind: "gpu", serial: "165" }])).toEqual([
    { kind: "gpu", serial: "165", firmware: "", slot: "" },
  ]);
  expect(ticketParts.safeParse([{ kind: "gpu", serial: " " }]).success).toBe(false);
});
