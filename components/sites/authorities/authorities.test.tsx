// @vitest-environment happy-dom
// Changing certificate authorities: expiry is shown, and a pasted bundle is applied as part of the document.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { show } from "@/components/testing/rendered";
import { Authorities } from "@/components/sites/authorities/authorities";
import { completed, siteDocument } from "@/server/domain/sites/document";
import type { SiteView } from "@/server/surfaces/trpc/types";

const pem = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
const lab = { usedFor: ["bmc" as const], pem };
const view = (parts: object, authorities: SiteView["authorities"] = []): SiteView => ({
  siteId: "s",
  site: "a",
  version: 3,
  revision: "r1",
  authorities,
  unreadable: [],
  document: siteDocument.parse(completed({ format: 1, site: "a", ...parts })),
});
const line = {
  name: "lab",
  usedFor: ["bmc" as const],
  subject: "CN=Lab CA",
  sha256: "ab".repeat(32),
  validFrom: "2026-01-01T00:00:00.000Z",
  validTo: "2026-12-24T00:00:00.000Z",
  expiry: "soon" as const,
};
const change = { kind: "add", path: ["authorities"], before: null, after: { spare: lab } };
const answer = { site: "a", created: false, applied: true, version: 4, revision: "r2", changes: [change] };

it("says when an authority ends, and where none is, whose count", () => {
  const { rerender } = show(<Authorities view={view({ authorities: { lab } }, [line])} whyNot={undefined} />);
  expect(screen.getByRole("status")).toHaveTextContent("Authority lab (CN=Lab CA) expires on 2026-12-24.");
  expect(screen.getByText("CN=Lab CA")).toBeVisible();
  rerender(<Authorities view={view({})} whyNot="Only provider admins" />);
  expect(screen.getByText("No authorities of the site")).toBeVisible();
  expect(screen.getByRole("button", { name: "Add an authority…" })).toHaveAccessibleDescription(
    "Only provider admins",
  );
});

it("applies what was pasted beside those that are there, without touching SKUs and tenants", async () => {
  const user = userEvent.setup();
  const { calls } = show(<Authorities view={view({ authorities: { lab } }, [line])} whyNot={undefined} />, {
    answers: { "site.apply": () => answer },
  });
  await user.click(screen.getByRole("button", { name: "Add an authority…" }));
  const dialog = within(await screen.findByRole("dialog"));
  await enter(user, dialog.getByLabelText("Name"), "spare");
  await user.click(dialog.getByLabelText(/^Certificates/));
  await user.paste(pem);
  await user.click(dialog.getByLabelText("Used for the network controller"));
  await user.click(dialog.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  const sent: unknown = JSON.parse(String(Reflect.get(Object(calls[0]?.input), "document")));
  expect(sent).toMatchObject({
    bmcTrust: "pinOrAuthority",
    authorities: { lab, spare: { usedFor: ["bmc", "networkController"], pem: pem.trim() } },
  });
  expect(sent).not.toHaveProperty("skus");
  expect(await screen.findByText(/applies from the next connection/)).toBeVisible();
});

it("asks whose certificate a BMC may show", async () => {
  const user = userEvent.setup();
  const { calls } = show(<Authorities view={view({})} whyNot={undefined} />, {
    answers: { "site.apply": () => answer },
  });
  await user.click(screen.getByRole("button", { name: "Trust of BMCs…" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.selectOptions(dialog.getByLabelText("A BMC is trusted by"), "authority");
  await user.click(dialog.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(JSON.parse(String(Reflect.get(Object(calls[0]?.input), "document")))).toMatchObject({
    bmcTrust: "authority",
  });
});
