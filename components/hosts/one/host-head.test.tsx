// @vitest-environment happy-dom
// The head of a Ready host says its standing and no more than it: which gates were not satisfied, and what to check.
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { hostFacts } from "@/components/hosts/one/facts/host-facts";
import { HostHead } from "@/components/hosts/one/host-head";
import { failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";
import { readyWords, standings, standingText, type Standing } from "@/server/domain/assurance/standing";
import { gateTally } from "@/server/domain/reclamations/gates/tally";
import type { GateStatus } from "@/server/domain/reclamations/gates/gate-names";
import { liesIn } from "@/server/testing/standing-lies";
import type { HostDetail } from "@/server/surfaces/trpc/types";

const others = Array.from({ length: 13 }, (): GateStatus => "satisfied");

function readyHost(standing: Standing, left: GateStatus): HostDetail {
  const { satisfied, applying, words } = gateTally([...others, left]);
  const { waitsFor, checkNext } = readyWords[standing];
  return {
    ...failedHost,
    ...{ state: "Ready", tone: "neutral", label: "Ready", says: "Ready", standing, waitsFor },
    checkNext: checkNext === "Nothing" ? null : checkNext,
    counts: { gatesHold: satisfied, gates: applying, gateWords: words, reclamations: 1 },
  };
}

function head(host: HostDetail): string {
  const { container } = show(<HostHead host={host} what="" facts={hostFacts(host)} acts={null} />, {
    answers: { "proof.search": () => ({ returns: [], drives: [], hosts: [] }) },
  });
  return container.textContent;
}

it.each([
  ["provenWithExceptions", "excepted", "13 of 14 gates; 1 excepted"],
  ["provenWithExceptions", "waived", "13 of 14 gates; 1 waived"],
  ["provenWithExceptions", "not implemented", "13 of 14 gates; 1 not checked"],
  ["notSanitized", "excepted", "13 of 14 gates; 1 excepted"],
  ["notSanitized", "waived", "13 of 14 gates; 1 waived"],
] as const)("is %s with a gate that is %s", (standing, left, words) => {
  const text = head(readyHost(standing, left));
  expect(liesIn(text)).toEqual([]);
  expect(text).toContain(words);
  expect(text).toContain(standingText[standing]);
  expect(text).toContain(`Check next: ${readyWords[standing].checkNext}`);
});

it("has nothing to do only where it is proven", () => {
  for (const standing of standings) {
    const text = head(readyHost(standing, "satisfied"));
    expect([standing, text.includes("Nothing to do")]).toEqual([standing, standing === "proven"]);
  }
  expect(screen.queryByRole("alert")).toBeNull();
});
