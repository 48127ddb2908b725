// @vitest-environment happy-dom
// Changing a site's limits: the effect is shown before they can be saved.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ChangeLimits } from "@/components/cleaning/queue/limits-dialog";
import { expectHeldBack, heldAnswer, someEffect } from "@/components/testing/held-back";
import { show } from "@/components/testing/rendered";
import type { SiteQueue } from "@/server/surfaces/trpc/types";

const queue: SiteQueue = {
  ...{ siteId: "00000000-0000-4000-8000-0000000000a1", site: "a", atWork: 2, policyVersion: 3, waiting: 0 },
  limits: [{ name: "atWork", words: "hosts in progress", limit: 4, used: 2 }],
  ...{ segments: [], powerDomains: [] },
};

it("sends the limits only after the effect was shown", async () => {
  const user = userEvent.setup();
  const { answer, give } = heldAnswer(someEffect);
  const { calls } = show(<ChangeLimits queue={queue} whyNot={undefined} />, {
    answers: { "policy.preview": answer, "queue.setLimits": () => ({ policyVersion: 4 }) },
  });
  await user.click(screen.getByRole("button", { name: "Change limits…" }));
  const dialog = within(await screen.findByRole("dialog"));
  const field = dialog.getByLabelText(/^Maximum hosts in progress/);
  await user.clear(field);
  await user.type(field, "2");
  const button = dialog.getByRole("button", { name: "Change the limits" });
  await expectHeldBack(user, { button, field, calls, give });
  expect(calls).toMatchObject([
    { path: "queue.setLimits", input: { policyVersion: 3, limits: { atWork: 2 } } },
  ]);
});
