// @vitest-environment happy-dom
// Rows of instances: where a released one went, and when its machine was erased and verified.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { InstancesTable } from "@/components/instances/instances-table";
import { JustReleased } from "@/components/instances/instances-page";
import { show } from "@/components/testing/rendered";
import { wholeList } from "@/components/ui/resource-table/resource-list";
import type { InstanceRow } from "@/server/surfaces/trpc/types";

const ended: InstanceRow = {
  id: "i-1",
  name: "train-1",
  description: null,
  labels: {},
  vpcId: null,
  status: "Terminated",
  tone: "neutral",
  tenantId: "t-1",
  tenantOrg: "acme",
  tenantName: "Acme",
  createdAt: new Date("2026-11-20T08:00:00Z"),
  readyAt: new Date("2026-11-20T08:05:00Z"),
  releaseRequestedAt: new Date("2026-11-20T09:00:00Z"),
  endedAt: new Date("2026-11-20T09:01:00Z"),
  notices: [],
  hostWords: "being cleaned",
  message: null,
  site: "a",
  sku: "s",
  host: { id: "h-1", name: "gpu-a-0001" },
  reclamation: { id: "r-1", number: "R-7", hostId: "h-1", gone: false },
  erasedAt: new Date("2026-11-20T09:40:00Z"),
  verifiedAt: null,
  onlineRepair: { active: null, allowed: true, reason: null },
  edit: { allowed: false, reason: null },
  release: { allowed: false, reason: "it has ended" },
};

const draw = (row: InstanceRow, ofProvider = true) =>
  show(
    <InstancesTable
      list={wholeList({ error: null, isPending: false, refetch: () => undefined }, [row])}
      ofProvider={ofProvider}
      released
      selection={undefined}
      empty={null}
      open={null}
      onToggle={() => undefined}
      onRelease={undefined}
      onEdit={undefined}
    />,
  );

it("a released row leads to the reclamation that followed, and says when it was released, erased and verified", () => {
  draw(ended);
  const row = screen.getByRole("row", { name: /train-1/ });
  expect(within(row).getByRole("link", { name: "R-7" })).toHaveAttribute(
    "href",
    "/hosts/gpu-a-0001?reclamation=r-1",
  );
  for (const label of ["Released", "Erased", "Verified"])
    expect(screen.getByRole("columnheader", { name: label })).toBeVisible();
  expect(row).toHaveTextContent(
    /Released 20 Nov 2026, 09:00:00 UTC.*Erased 20 Nov 2026, 09:40:00 UTC.*Verified not yet/,
  );
});

it("of a host that has left the fleet it leads to its record", () => {
  draw({ ...ended, host: null, reclamation: { id: "r-1", number: "R-7", hostId: "h-1", gone: true } });
  expect(screen.getByRole("link", { name: "R-7" })).toHaveAttribute("href", "/gone/h-1?reclamation=r-1");
});

it("a tenant reads the times and gets no link", () => {
  draw({ ...ended, host: null, reclamation: null }, false);
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.getByRole("row", { name: /train-1/ })).toHaveTextContent(/Erased .*09:40/);
});

it("what was released a moment ago is followed by a link", async () => {
  const closed = vi.fn();
  show(<JustReleased rows={[ended]} onClose={closed} />);
  expect(screen.getByRole("status")).toHaveTextContent("Release of train-1 accepted.");
  expect(screen.getByRole("link", { name: "follow it to the receipt" })).toHaveAttribute(
    "href",
    "/instances/i-1",
  );
  await userEvent.setup().click(screen.getByRole("button", { name: "Hide" }));
  expect(closed).toHaveBeenCalled();
});
