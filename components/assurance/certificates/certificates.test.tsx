// @vitest-environment happy-dom
// Using certificates: open, download, select for a file, and verify with and without a trusted key.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { CertificatesPage } from "@/components/assurance/certificates/certificates-page";
import { admin, show } from "@/components/testing/rendered";
import { sampleBundle } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import { standingTone } from "@/server/domain/assurance/standing";
import type { CertificateLine } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-23T12:00:00Z");
const id = "10000000-0000-4000-8000-000000000001";
const line: CertificateLine = {
  id,
  kind: "certificate",
  type: "certificate",
  hostId: id,
  host: "gpu-a-0417",
  reclamationId: id,
  instanceId: null,
  instance: null,
  tenant: null,
  number: "R-42",
  standing: "notSanitized",
  sha256: "0".repeat(64),
  madeAt: at,
  signedAt: at,
};
const receipt: CertificateLine = {
  ...line,
  id: id.replace(/1$/, "2"),
  kind: "receipt",
  type: "receipt",
  signedAt: null,
};
const sample = sampleBundle();
const listed = (...rows: CertificateLine[]) => ({ "certificates.list": () => ({ rows, nextCursor: null }) });
const answers = { ...listed(line, receipt), "certificates.get": () => ({ bundle: sample.bundle }) };

const open = () => show(<CertificatesPage />, { answers, path: "/reclamations", search: `open=${id}` });
const panel = async () => within(await screen.findByRole("complementary", { name: "Certificate" }));

it("lists certificates, and puts a selection into a file", async () => {
  const user = userEvent.setup();
  const { went } = show(<CertificatesPage />, { answers });
  expect(await screen.findByRole("button", { name: "Receipt" })).toBeVisible();
  expect(screen.getByText("pending")).toBeVisible();
  expect(screen.getByRole("columnheader", { name: "Standing" })).toBeVisible();
  for (const standing of screen.getAllByText("Not sanitized", { selector: ".tone" }))
    expect(standing).toHaveAttribute("data-tone", standingTone.notSanitized);
  expect(screen.getByRole("link", { name: "All as CSV" })).toHaveAttribute("href", "/api/certificates.csv");
  await user.click(screen.getByRole("checkbox", { name: "Select Certificate of gpu-a-0417" }));
  expect(screen.getByRole("link", { name: "Selected as CSV" })).toHaveAttribute(
    "href",
    `/api/certificates.csv?ids=${id}`,
  );
  await user.click(screen.getByRole("button", { name: "Certificate" }));
  expect(went).toEqual([`/reclamations?open=${id}`]);
});

it("names a tenant's machines by its instances only", async () => {
  const me = { ...admin, role: "tenant-admin" as const, tenant: { org: "acme", name: "Acme" } };
  const own = { ...receipt, host: null, instanceId: id, instance: "train-1" };
  show(<CertificatesPage />, { answers: listed(own), me });
  expect(await screen.findByRole("link", { name: "train-1" })).toBeVisible();
  expect(screen.queryByRole("columnheader", { name: "Host" })).toBeNull();
  expect(screen.queryByText(/10000000/)).toBeNull();
});

it("tells a demo's receipt from its certificate, and links the host", async () => {
  const demo = { ...line, type: "demo" };
  show(<CertificatesPage />, { answers: listed(demo, { ...demo, id: receipt.id, kind: "receipt" }) });
  expect(await screen.findByRole("button", { name: "Demo receipt, certifies nothing" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Demo, certifies nothing" })).toBeVisible();
  for (const link of screen.getAllByRole("link", { name: "gpu-a-0417" }))
    expect(link).toHaveAttribute("href", "/hosts/gpu-a-0417?tab=history");
});

it("says what makes a certificate appear", async () => {
  show(<CertificatesPage />, { answers: listed() });
  expect(await screen.findByText("A certificate appears here when a reclamation ends.")).toBeVisible();
});

it("shows one with its drives, its limits and its files", async () => {
  open();
  const shown = await panel();
  expect(await shown.findByText(/D1/)).toBeVisible();
  expect(shown.getByText(/not that nothing can be recovered/)).toBeVisible();
  expect(shown.getByRole("link", { name: "Download PDF" })).toHaveAttribute(
    "href",
    `/api/certificates/${id}.pdf`,
  );
  expect(shown.getByRole("link", { name: "Download JSON" })).toHaveAttribute(
    "href",
    `/api/certificates/${id}`,
  );
});

it("checks it in the browser: by a key, without one, and by another's", async () => {
  const user = userEvent.setup();
  open();
  const shown = await panel();
  const verify = async (key: string) => {
    const field = await shown.findByLabelText(/Key that you trust/);
    await user.clear(field);
    if (key !== "") await user.paste(key);
    await user.click(shown.getByRole("button", { name: "Verify" }));
  };
  await verify("");
  expect(await shown.findByText(/signer is unknown: enter/)).toBeVisible();
  await verify(sample.key);
  expect(await shown.findByText(/Signed by reclaim.test/)).toBeVisible();
  await verify(sampleBundle().key);
  expect(await shown.findByText(/none of the keys that you trust/)).toBeVisible();
  await verify("nonsense");
  expect(await shown.findByText("This is not a key of an audit log.")).toBeVisible();
  expect(shown.queryByText(/Signed by/)).toBeNull();
});

it("filters by what the URL names, and keeps it there", async () => {
  const asked: unknown[] = [];
  const { went } = show(<CertificatesPage />, {
    answers: {
      ...answers,
      "certificates.list": (input) => {
        asked.push(input);
        return { rows: [{ ...line, instanceId: id, instance: "train-1", tenant: "Acme" }], nextCursor: null };
      },
    },
    path: "/reclamations",
    search: "host=gpu-a-0417&standing=proven&since=2026-10-01&until=2026-10-31",
  });
  expect(await screen.findByRole("link", { name: "train-1" })).toHaveAttribute("href", `/instances/${id}`);
  expect(asked[0]).toMatchObject({
    host: "gpu-a-0417",
    standing: "proven",
    since: new Date("2026-10-01T00:00:00Z"),
    until: new Date("2026-11-01T00:00:00Z"),
  });
  expect(screen.getByRole("link", { name: "Filtered as CSV" })).toHaveAttribute(
    "href",
    "/api/certificates.csv?host=gpu-a-0417&standing=proven&since=2026-10-01T00%3A00%3A00.000Z&until=2026-11-01T00%3A00%3A00.000Z",
  );
  const user = userEvent.setup();
  await user.type(screen.getByLabelText("Tenant"), "Acme");
  await user.click(screen.getByRole("button", { name: "Filter" }));
  expect(went.at(-1)).toBe(
    "/reclamations?host=gpu-a-0417&tenant=Acme&standing=proven&since=2026-10-01&until=2026-10-31",
  );
});
