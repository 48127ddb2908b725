// @vitest-environment happy-dom
// The location of a site: what is left empty is not in the document.
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { LocationForm } from "@/components/sites/location-form";
import { enter } from "@/components/testing/enter";
import { show } from "@/components/testing/rendered";
import { completed, siteDocument } from "@/server/domain/sites/document";
import type { SiteView } from "@/server/surfaces/trpc/types";

const view = (parts: object): SiteView => ({
  siteId: "s",
  site: "a",
  version: 3,
  revision: "r1",
  authorities: [],
  unreadable: [],
  document: siteDocument.parse(completed({ format: 1, site: "a", ...parts })),
});
const answer = { site: "a", created: false, applied: false, version: null, revision: "r2", changes: [] };
const save = () => screen.getByRole("button", { name: "Save location…" });

/** The location in the document that is sent after what `act` types; undefined: it has none. */
async function sent(
  stored: object,
  act: (user: ReturnType<typeof userEvent.setup>) => Promise<void>,
): Promise<unknown> {
  const user = userEvent.setup();
  const { calls } = show(<LocationForm view={view(stored)} whyNot={undefined} />, {
    answers: { "site.apply": () => answer },
  });
  expect(save()).toHaveAccessibleDescription("No changes");
  await act(user);
  await user.click(save());
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]).toMatchObject({ path: "site.apply", input: { dryRun: true, revision: "r1" } });
  const { document } = Object(calls[0]?.input) as { document: string };
  return (JSON.parse(document) as { location?: unknown }).location;
}

it("is sent with what was entered, and without what was not", async () => {
  const location = await sent({}, async (user) => {
    await enter(user, screen.getByLabelText("City"), " Reykjavík ");
    await enter(user, screen.getByLabelText("Country"), "IS");
  });
  expect(location).toEqual({ city: "Reykjavík", country: "IS" });
});

it("is left out of the document when all of it is removed", async () => {
  const location = await sent({ location: { state: "Texas" } }, async (user) => {
    expect(screen.getByLabelText("State")).toHaveValue("Texas");
    await user.clear(screen.getByLabelText("State"));
  });
  expect(location).toBeUndefined();
});

it("says what is too long, and sends nothing", async () => {
  const user = userEvent.setup();
  const { calls } = show(<LocationForm view={view({})} whyNot={undefined} />, {
    answers: { "site.apply": () => answer },
  });
  await enter(user, screen.getByLabelText("City"), "x".repeat(129));
  expect(save()).toHaveAccessibleDescription(/128/);
  expect(calls).toEqual([]);
});
