// @vitest-environment happy-dom
// The Platform tab of a host: what the gate relies on, and who may make it the baseline.
import { screen } from "@testing-library/react";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { PlatformTab } from "@/components/hosts/platform/platform-tab";
import { failedHost } from "@/components/testing/host";
import { admin, show } from "@/components/testing/rendered";
import type { PlatformLine } from "@/server/surfaces/trpc/types";

const host = { ...failedHost, sku: "R750" };
const line = (item: string, verdict: PlatformLine["verdict"], named: boolean): PlatformLine => ({
  ...{ hostId: host.id, host: host.name, sku: "R750", item, verdict, named },
  ...{ wanted: "none", found: "evil", readAt: new Date() },
});
const inventory = { baseline: [], bios: null, found: [], capabilities: [], components: [], devices: [] };

const tab = (rows: readonly PlatformLine[], role: "operator" | "provider-admin" = "operator") =>
  show(
    <Suspense>
      <PlatformTab host={host} />
    </Suspense>,
    {
      me: { ...admin, role },
      answers: { "hosts.platform": () => ({ rows, nextCursor: null }), "host.inventory": () => inventory },
    },
  );

it("lists each item with its result and who wants it, and counts what is not as wanted", async () => {
  tab([
    line("accounts", "different", false),
    line("BIOS LogicalProc", "same", true),
    line("TPM", "unknown", false),
  ]);
  expect(await screen.findByText(/^2 items not as wanted/)).toBeVisible();
  expect(screen.getByRole("row", { name: /^accounts/ })).toHaveTextContent(/evilevery hostdifferent$/);
  expect(screen.getByRole("row", { name: /^BIOS LogicalProc/ })).toHaveTextContent(/baselineas wanted$/);
});

it("says that nothing was read yet", async () => {
  tab([]);
  expect(await screen.findByText("Not read yet")).toBeVisible();
});

it("lets a provider admin make it the baseline, and nobody else", async () => {
  const { unmount } = tab([]);
  expect(await screen.findByRole("button", { name: /^Make this the baseline/ })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  unmount();
  tab([], "provider-admin");
  expect(await screen.findByRole("button", { name: /^Make this the baseline/ })).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
});
