// @vitest-environment happy-dom
// Online repair of one instance: what is required to begin, the repair in progress, and the prefilled escalation.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { enter } from "@/components/testing/enter";
import { OnlineRepair } from "@/components/repair/online-repair/online-repair";
import { show } from "@/components/testing/rendered";
import type { InstanceRow } from "@/server/surfaces/trpc/types";

const held: InstanceRow = {
  id: "00000000-0000-4000-8000-000000000001",
  name: "train-1",
  description: null,
  labels: {},
  vpcId: null,
  status: "Ready",
  tone: "neutral",
  tenantId: "t-1",
  tenantOrg: "acme",
  tenantName: "Acme",
  createdAt: new Date("2026-11-20T08:00:00Z"),
  readyAt: new Date("2026-11-20T08:05:00Z"),
  releaseRequestedAt: null,
  endedAt: null,
  notices: [],
  hostWords: "in use",
  message: null,
  site: "a",
  sku: "s",
  host: null,
  reclamation: null,
  erasedAt: null,
  verifiedAt: null,
  onlineRepair: { active: null, allowed: true, reason: null },
  edit: { allowed: true, reason: null },
  release: { allowed: true, reason: null },
};
const issue = { category: "Hardware", summary: "GPU 3 fails", details: "Xid 79" } as const;
const active = { since: new Date("2026-11-21T08:00:00Z"), issue, allowDeletion: false };
const answers = {
  "instances.beginRepair": () => ({ id: held.id }),
  "instances.endRepair": () => ({ id: held.id }),
  "instances.escalateRepair": () => ({ instanceId: held.id, hostId: "h", alreadyReleasing: false }),
};
const draw = (row: Partial<InstanceRow>) => ({
  ...show(<OnlineRepair row={{ ...held, ...row }} />, { answers }),
  user: userEvent.setup(),
});
const button = (name: RegExp) => screen.getByRole("button", { name });

it("begins when the issue is described, the choice is made and every risk acknowledged", async () => {
  const { calls, user } = draw({});
  await user.click(button(/Begin online repair… train-1/));
  const begin = () => button(/^Begin online repair$/);
  const lacking = (words: RegExp) => expect(begin()).toHaveAccessibleDescription(words);
  lacking(/Choose what is wrong/);
  await user.selectOptions(screen.getByLabelText("What is wrong"), "Hardware");
  lacking(/summary/);
  await user.type(screen.getByLabelText("Summary"), issue.summary);
  lacking(/details/);
  await user.type(screen.getByLabelText("Details"), issue.details);
  lacking(/may be deleted/);
  await user.selectOptions(screen.getByLabelText(/^May the instance be deleted/), "No");
  for (const risk of [/corrupt data/, /gets access/, /may be lost/]) {
    lacking(/^Acknowledge/);
    await user.click(screen.getByLabelText(risk));
  }
  await user.click(begin());
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(calls).toEqual([
    {
      path: "instances.beginRepair",
      input: {
        instanceId: held.id,
        issue,
        allowAutoInstanceDeletionOnFailure: false,
        acknowledgments: {
          acceptDataCorruptionRisk: true,
          acceptRepairTeamAccess: true,
          acceptInstanceDeletionRisk: true,
        },
      },
    },
  ]);
});

it("is shown while it stands, ended, and escalated with its issue", async () => {
  const { calls, user } = draw({
    status: "Repairing",
    onlineRepair: { active, allowed: true, reason: null },
  });
  expect(screen.getByText(/Hardware, GPU 3 fails/)).toBeVisible();
  expect(screen.getByText(/must not be deleted/)).toBeVisible();
  await user.click(button(/End online repair… train-1/));
  await user.click(button(/^End online repair$/));
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(button(/Escalate… train-1/));
  expect(screen.getByLabelText("Summary")).toHaveValue(issue.summary);
  expect(button(/^Release train-1$/)).toHaveAccessibleDescription(/Type train-1/);
  await enter(user, screen.getByLabelText(/^Why the online repair failed/), "a new GPU did not help");
  await enter(user, screen.getByLabelText(/^Type train-1/), "train-1");
  await user.click(button(/^Release train-1$/));
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  expect(calls[1]).toEqual({
    path: "instances.escalateRepair",
    input: { instanceId: held.id, issue, failureReason: "a new GPU did not help" },
  });
});

it("says why it cannot begin, and nothing of an instance that was given up", () => {
  const { unmount } = draw({ onlineRepair: { active: null, allowed: false, reason: "only a Ready one" } });
  expect(button(/Begin online repair…/)).toHaveAccessibleDescription("only a Ready one");
  unmount();
  draw({ releaseRequestedAt: new Date("2026-11-21T08:00:00Z") });
  expect(screen.queryByRole("button")).toBeNull();
});
