// What is said before a repair tenant claims, notes an outcome and releases is what the release then does.
import { expect, it } from "vitest";
import { completionChanges } from "@/server/domain/repair/completion";
import {
  claimEffect,
  outcomeEffect,
  releaseEffect,
  requestNote,
  requestText,
} from "@/server/domain/repair/effects";
import { repairOutcomes } from "@/server/domain/repair/repairs";
import type { RepairOutcome } from "@/server/domain/repair/repairs";

const labels = { completed: "Completed", failed: "Failed", none: "InProgress" } as const satisfies Record<
  RepairOutcome,
  string
>;
const issue = { category: "Hardware", summary: "s", details: "" } as const;
const requests = [true, false].flatMap((requested) =>
  [true, false].map((reported) => ({ requested, reported })),
);

for (const request of requests)
  for (const outcome of repairOutcomes)
    for (const told of [true, false])
      it(`${requestNote(request)}, reported ${request.reported}, ${outcome}, issue ${told}`, () => {
        const changes = completionChanges(request, { repair_status: labels[outcome] }, told ? issue : null);
        const text = releaseEffect(request, outcome, told);
        const goesOn = changes.length > 0 && changes.every(({ kind }) => kind === "removed");
        expect(text.includes("continues to Ready")).toBe(goesOn);
        expect(/changes no alert|stays until an operator/.test(text)).toBe(changes.length === 0);
        expect(text.includes("keeps the host out")).toBe(changes.some(({ kind }) => kind === "set"));
        if (!told) expect(outcomeEffect(request, outcome)).toContain(text);
      });

it("nothing is said of a request that is not known", () => {
  for (const text of [requestText({}), claimEffect({}), releaseEffect({}, "completed", false)])
    expect(text).toMatch(/^Whether a repair is requested is not known/);
  expect(requestNote({ reported: true })).toBe("not known");
});

it("a claim says whether a request stands, and what to do where none does", () => {
  expect(requests.map(requestText)).toEqual([
    "A repair is requested, and a tenant reported an issue.",
    "A repair is requested.",
    "A tenant reported an issue, but nobody has requested a repair.",
    "Nobody has requested a repair.",
  ]);
  for (const request of requests) {
    expect(claimEffect(request)).toContain(requestText(request));
    expect(claimEffect(request).includes("continues to Ready")).toBe(request.requested);
  }
  expect(claimEffect({ requested: false, reported: true })).toMatch(/Ask the provider to request it before/);
});
