// @vitest-environment happy-dom
// The page of a released instance: in progress, waiting for the provider, proven with the limits of the proof, and still held.
import { screen, within } from "@testing-library/react";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { ReceiptPage } from "@/components/instances/receipt/receipt-page";
import { show } from "@/components/testing/rendered";
import type { InstanceReceipt } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-22T08:00:00Z");
const drive: InstanceReceipt["drives"][number] = {
  serial: "S1",
  model: "PM9A3",
  media: "nvme",
  capacityBytes: "3840755982336",
  state: "erased",
  percent: null,
  technique: "nvme-sanitize-crypto",
  level: "purge",
  standard: "ieee-2883",
  techniqueTable: 2,
  verification: "4 of 4 markers gone",
  statement: null,
  at,
};
const proven: InstanceReceipt = {
  format: 2,
  instance: { id: "i-1", name: "train-1", createdAt: at, releaseRequestedAt: at, endedAt: at },
  tenant: { org: "acme", name: "Acme" },
  machine: { id: "h-1", site: "a", sku: "s" },
  result: "proven",
  standing: "proven",
  says: "The machine was proven clean.",
  attention: false,
  provenAt: at,
  reclamationId: "r-1",
  steps: [{ step: "erased", state: "done", words: "1 of 1 drive erased", at }],
  drives: [drive],
  checks: [{ gate: "storageSanitized", meaning: "Every drive", status: "satisfied" }],
  limits: ["It is not signed."],
};

async function draw(receipt: InstanceReceipt) {
  show(
    <Suspense>
      <ReceiptPage id="i-1" />
    </Suspense>,
    { answers: { "instances.receipt": () => receipt } },
  );
  return screen.findByRole("heading", { name: "train-1" });
}

it("a receipt says how each drive was erased and what it does not prove, and is kept as JSON", async () => {
  await draw(proven);
  const row = screen.getByRole("row", { name: /S1/ });
  expect(row).toHaveTextContent(
    /PM9A3, 3.84 TB.*erased.*nvme-sanitize-crypto.*purge by ieee-2883; 4 of 4 markers/,
  );
  expect(screen.getByRole("heading", { name: "What this does not prove" })).toBeVisible();
  const file = screen.getByRole("link", { name: "Download JSON" });
  expect(file).toHaveAttribute("download", "receipt-i-1.json");
  const [, json = ""] = (file.getAttribute("href") ?? "").split(",");
  expect(JSON.parse(decodeURIComponent(json))).toMatchObject({ format: 2, result: "proven" });
});

it("on its way it says how far each drive is, and that the provider has to look", async () => {
  await draw({
    ...proven,
    result: "open",
    attention: true,
    provenAt: null,
    steps: [{ step: "erased", state: "current", words: "0 of 1 drive erased", at: null }],
    drives: [{ ...drive, state: "erasing", percent: 41.6, technique: null, verification: null, at: null }],
    checks: [],
    limits: [],
  });
  expect(screen.getByText("Waiting for the provider")).toBeVisible();
  expect(within(screen.getByRole("row", { name: /S1/ })).getByText("being erased, 42 %")).toBeVisible();
  expect(screen.queryByText("What this does not prove")).toBeNull();
});

it("of an instance that is still held there is none", async () => {
  await draw({
    ...proven,
    result: "open",
    instance: { ...proven.instance, releaseRequestedAt: null, endedAt: null },
  });
  expect(screen.getByText("Not released yet")).toBeVisible();
  expect(screen.queryByRole("link", { name: "Download JSON" })).toBeNull();
});
