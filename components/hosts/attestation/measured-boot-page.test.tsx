// @vitest-environment happy-dom
// The page Measured boot: what waits for a bundle, and what may be done with a bundle, by whom.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { MeasuredBootPage } from "@/components/hosts/attestation/measured-boot-page";
import { admin, show } from "@/components/testing/rendered";
import type { ApprovalLine, AttestationOverview, BundleLine } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-30T07:00:00Z");
const line: BundleLine = {
  ...{ id: "0190aaaa-0000-7000-8000-00000000000a", name: "R750 1.8.2", site: "north" },
  ...{ manufacturer: "Dell Inc.", model: "PowerEdge R750", standing: "Active", hosts: 3 },
  values: [
    { pcr: 4, value: "a".repeat(64) },
    { pcr: 9, value: "b".repeat(64) },
  ],
  ...{ requestedBy: "Ola", requestedAt: at, reason: "watched its boot", approvedBy: "Ada", changed: null },
  approvalId: "0190aaaa-0000-7000-8000-00000000000b",
};
const approval: ApprovalLine = {
  ...{ id: line.approvalId, kind: "bundle", subjectId: line.id, subject: "bundle R750 1.8.2 of Dell" },
  ...{ host: null, site: "north", evidence: "cd34", askedBy: "Ola", askedAt: at, reason: "x" },
  ...{ validUntil: null, decision: null, decidedBy: null, decidedAt: null, decidedReason: null },
  ...{ decidedWith: null, voided: null, own: false, mayDecide: true },
};
const overview: AttestationOverview = {
  states: [
    { state: "Measured", hosts: 3 },
    { state: "notAsked", hosts: 1 },
  ],
  pending: [
    {
      ...{
        digest: "d".repeat(64),
        site: "north",
        manufacturer: "Lenovo",
        model: "SR670",
        hosts: 2,
        since: at,
      },
      host: { id: "0190aaaa-0000-7000-8000-000000000001", name: "r1-h01" },
    },
  ],
  bundles: [line],
};

async function page(change: Partial<BundleLine> = {}, mayDecide = true, me = admin) {
  const shown = show(
    <Suspense>
      <MeasuredBootPage />
    </Suspense>,
    {
      me,
      answers: {
        "attestation.overview": () => ({ ...overview, bundles: [{ ...line, ...change }] }),
        "attestation.demote": () => ({ failed: 3, leftReady: 2 }),
        "approvals.list": () => ({ items: [{ ...approval, mayDecide, own: !mayDecide }], nextCursor: null }),
      },
    },
  );
  await screen.findByRole("table", { name: "Bundles" });
  return shown;
}
const buttons = () =>
  within(screen.getByRole("table", { name: "Bundles" }))
    .getAllByRole("button")
    .map(({ textContent }) => textContent ?? "")
    .filter((words) => words.endsWith("…"));

it("counts hosts by state, and leads to a host of each measurement without a bundle", async () => {
  await page();
  expect(screen.getByText("3 measured, 1 not asked")).toBeVisible();
  expect(screen.getByRole("link", { name: "r1-h01" })).toHaveAttribute(
    "href",
    "/hosts/r1-h01?tab=attestation",
  );
});

it("offers a decision to another person only, while a bundle waits", async () => {
  const { unmount } = await page({ standing: "waits", approvedBy: null });
  await screen.findByRole("button", { name: "Approve…" });
  expect(buttons()).toEqual(["Approve…", "Reject…"]);
  await userEvent.click(screen.getByRole("button", { name: "Approve…" }));
  expect(within(screen.getByRole("dialog")).getByText("a".repeat(64))).toBeVisible();
  unmount();
  await page({ standing: "waits", approvedBy: null }, false);
  expect(buttons()).toEqual([]);
});

it("takes trust from a bundle in one direction only", async () => {
  const { calls, unmount } = await page({ standing: "Obsolete" });
  await userEvent.click(screen.getByRole("button", { name: "Trust less…" }));
  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["Retired", "Revoked"]);
  await userEvent.selectOptions(dialog.getByLabelText("State"), "Revoked");
  expect(dialog.getByText(/fail for good/)).toBeVisible();
  await userEvent.type(dialog.getByLabelText("Reason"), "CVE-2026-1");
  await userEvent.click(dialog.getByRole("button", { name: "Make it revoked" }));
  expect(await screen.findByText(/3 hosts fail, 2 left Ready/)).toBeVisible();
  expect(calls).toEqual([
    { path: "attestation.demote", input: { bundle: line.id, state: "Revoked", reason: "CVE-2026-1" } },
  ]);
  unmount();
  for (const standing of ["Revoked", "rejected"] as const) {
    const shown = await page({ standing });
    expect(buttons()).toEqual([]);
    shown.unmount();
  }
});
