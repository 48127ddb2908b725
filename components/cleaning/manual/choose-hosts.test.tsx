// @vitest-environment happy-dom
// The chooser lists hosts that can be cleaned, says why others cannot, and Enter picks the host that was named.
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { z } from "zod";
import { enter } from "@/components/testing/enter";
import { ChooseHosts } from "@/components/cleaning/manual/choose-hosts";
import { runbook } from "@/components/testing/cleaning";
import { show } from "@/components/testing/rendered";
import type { CleaningCandidates } from "@/server/contract/cleaning/cleaning-answers";

const asked = z.object({ filter: z.string(), runbookId: z.string().optional() });
const host = (name: string) => ({ hostId: name, name, state: "Manageable" as const });
const found = (text: string): CleaningCandidates => ({
  can: ["r1-h01", "r1-h010"].filter((name) => name.startsWith(text)).map(host),
  cannot: [
    { hostId: "r1-h02", name: "r1-h02", state: "Ready", reason: "only a Manageable host can be cleaned" },
  ],
  total: 3,
  problem: null,
});
const answers = { "cleaning.candidates": (input: unknown) => found(asked.parse(input).filter) };

it("offers hosts before anything is typed, and reasons only for what was asked for", async () => {
  show(<ChooseHosts runbook={null} />, { answers });
  expect(await screen.findByRole("link", { name: "r1-h01" })).toBeVisible();
  expect(screen.queryByText(/only a Manageable host/)).toBeNull();
  await userEvent.setup().type(screen.getByRole("textbox"), "r1");
  expect(await screen.findByText(/only a Manageable host/)).toBeVisible();
  expect(screen.getByRole("link", { name: "All 3 hosts of this filter" })).toBeVisible();
});

it("Enter chooses the host that was named, with the runbook", async () => {
  const { went } = show(<ChooseHosts runbook={runbook} />, { answers });
  const user = userEvent.setup();
  await enter(user, screen.getByRole("textbox"), "r1-h01");
  await screen.findByText(/only a Manageable host/);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(went).toEqual([`/cleaning/manual?hosts=r1-h01&runbook=${runbook.id}`]));
});
