// @vitest-environment happy-dom
// Gates: progress of open ones, evidence of the others as sentences with links, and all of it when printed.
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { GatesTable } from "@/components/reclamations/gates-table";
import { TestsSection } from "@/components/reclamations/reclamation-tab";
import { show } from "@/components/testing/rendered";
import type { GateLine } from "@/server/surfaces/trpc/types";

const line = (more: Partial<GateLine>): GateLine => ({
  gate: "storageSanitized",
  meaning: "Every drive is erased",
  status: "open",
  reason: "not evaluated yet",
  soFar: null,
  sentences: [],
  drives: [],
  evidence: null,
  generation: null,
  evidenceSeq: null,
  evaluatedAt: null,
  ...more,
});
const evaluated = line({
  gate: "inventoryMatches",
  status: "satisfied",
  reason: "matches r750",
  sentences: [{ words: "The inventory of boot 2 matches SKU r750.", subject: "sku" }],
  evidence: { epoch: 2, name: "r750" },
  generation: "5",
  evidenceSeq: "40",
  evaluatedAt: new Date("2026-11-20T10:00:00Z"),
});
const host = { name: "r1-h01", sku: "r750" };

it("an open gate says how far what it will rest on is", () => {
  const soFar = { done: true, failed: false, words: "deploy.erase_nvme succeeded" };
  show(<GatesTable gates={[line({ soFar }), line({ gate: "healthy" })]} host={host} />);
  const [, proven, open] = screen.getAllByRole("row");
  expect(proven).toHaveTextContent("proven so far");
  expect(proven).toHaveTextContent("deploy.erase_nvme succeeded");
  expect(open).toHaveTextContent("not evaluated yet");
});

it("evidence is sentences with links, and word for word in a fold with a button to copy it", async () => {
  show(<GatesTable gates={[evaluated]} host={host} />);
  await userEvent
    .setup()
    .click(screen.getByRole("button", { name: "Show the evidence of inventoryMatches" }));
  const item = screen.getByText(/The inventory of boot 2 matches SKU r750/);
  expect(within(item).getByRole("link", { name: "SKU r750" })).toHaveAttribute("href", "/skus/r750");
  expect(screen.getByText("Raw evidence").closest("details")).not.toHaveAttribute("open");
  expect(screen.getByRole("button", { name: "Copy the evidence of inventoryMatches" })).toBeInTheDocument();
});

it("on paper all evidence is open, and afterwards it is folded again", () => {
  show(<GatesTable gates={[evaluated]} host={host} />);
  act(() => void dispatchEvent(new Event("beforeprint")));
  expect(screen.getByText("Raw evidence").closest("details")).toHaveAttribute("open");
  act(() => void dispatchEvent(new Event("afterprint")));
  expect(screen.queryByText("Raw evidence")).toBeNull();
});

it("each validation test stands with its result", () => {
  show(
    <TestsSection
      tests={[
        { name: "memory", result: "passed" },
        { name: "dcgm", result: "failed" },
      ]}
    />,
  );
  expect(screen.getByText("1 passed, 1 failed")).toBeVisible();
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "memorypassed",
    "dcgmfailed",
  ]);
});
