// @vitest-environment happy-dom
// The tour: it picks a releasable instance, and its steps follow the instance and its host.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { Tour } from "@/components/demo/tour";
import { show } from "@/components/testing/rendered";
import type { InstanceRow } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-20T11:00:00Z");
const held: InstanceRow = {
  id: "i-1",
  name: "train-1",
  description: null,
  labels: {},
  vpcId: null,
  status: "Ready",
  tone: "neutral",
  tenantId: "t",
  tenantOrg: "acme",
  tenantName: "Acme",
  createdAt: at,
  readyAt: at,
  releaseRequestedAt: null,
  endedAt: null,
  notices: [],
  hostWords: "in use",
  message: null,
  site: "a",
  sku: "s",
  host: { id: "h-1", name: "gpu-a-0001" },
  reclamation: null,
  erasedAt: null,
  verifiedAt: null,
  onlineRepair: { active: null, allowed: true, reason: null },
  edit: { allowed: false, reason: null },
  release: { allowed: true, reason: null },
};
const unreleasable = { ...held, id: "i-0", name: "busy", release: { allowed: false, reason: "no" } };

function tour(now: Partial<InstanceRow>, state: string) {
  const onEnd = vi.fn();
  show(<Tour onEnd={onEnd} />, {
    answers: {
      "instances.list": () => ({ rows: [unreleasable, held], nextCursor: null, total: 2 }),
      "instances.get": () => ({ ...held, ...now }),
      "host.get": () => ({ name: "gpu-a-0001", state }),
    },
  });
  return onEnd;
}

it("begins with an instance that can be released", async () => {
  tour({}, "Assigned/Ready");
  expect(await screen.findByText("Tour, step 1 of 3")).toBeVisible();
  expect(await screen.findByText(/Acme uses a machine as the instance train-1/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Instances" })).toHaveAttribute("href", "/instances?open=i-1");
});

it("follows its host while it comes back, also when it was Ready a moment too early", async () => {
  tour({ releaseRequestedAt: at }, "Ready");
  expect(await screen.findByText("Tour, step 2 of 3")).toBeVisible();
  expect(await screen.findByRole("link", { name: "gpu-a-0001" })).toHaveAttribute(
    "href",
    "/hosts/gpu-a-0001",
  );
});

it("ends at the gates of the host that is Ready again", async () => {
  const onEnd = tour({ releaseRequestedAt: at, endedAt: at }, "Ready");
  expect(await screen.findByText("Tour, step 3 of 3")).toBeVisible();
  expect(screen.getByRole("link", { name: "gate" })).toHaveAttribute("href", "/hosts/gpu-a-0001?tab=gates");
  await userEvent.setup().click(screen.getByRole("button", { name: "Finish the tour" }));
  expect(onEnd).toHaveBeenCalled();
});
