// @vitest-environment happy-dom
// The section Names of a host: what each source calls the machine, and the way to confirm that it is the same one.
import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Names } from "@/components/hosts/names/names-section";
import { action, failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";
import { confirmText } from "@/server/domain/hosts/names/names";
import type { HostNamesView } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-30T07:00:00Z");
const told = { firstSeenAt: at, lastSeenAt: at, confirmed: null };
const view: HostNamesView = {
  names: [
    ...(["host", "list"] as const).map((source) => ({
      ...{ source, kind: "serial" as const, value: "BOARD-1", standing: "own" as const },
      ...{ firstSeenAt: null, lastSeenAt: null, confirmed: null },
    })),
    { ...told, source: "bmc", kind: "serial", value: "BOARD-1", standing: "own" },
    { ...told, source: "agent", kind: "serial", value: "CHASSIS-7", standing: "differs" },
  ],
  pending: [
    {
      source: "agent",
      names: [{ kind: "serial", value: "CHASSIS-7" }],
      agrees: [{ kind: "mac", value: "02:00:00:00:00:01" }],
    },
  ],
  refusal: null,
  evidence: "a".repeat(64),
};
const section = (shown: HostNamesView, may = true) =>
  show(
    <Names
      host={{ ...failedHost, actions: may ? [action("disposeDrive")] : [] }}
      view={shown}
      onDone={() => undefined}
    />,
    { answers: {} },
  );

it("shows what each source says, side by side, and what the act means", () => {
  section(view);
  expect(screen.getAllByText("BOARD-1")).toHaveLength(3);
  expect(screen.getByText("CHASSIS-7")).toBeVisible();
  fireEvent.click(screen.getByRole("button", { name: "This is the same machine…" }));
  expect(screen.getByRole("dialog")).toHaveTextContent(confirmText);
});

it("offers nothing to those who may not, nor what is refused, and says why", () => {
  section(view, false);
  expect(screen.queryByRole("button", { name: /same machine/ })).toBeNull();
  section({ ...view, refusal: "CHASSIS-7 is a name of host b." });
  expect(screen.queryByRole("button", { name: /same machine/ })).toBeNull();
  expect(screen.getByText(/is a name of host b/)).toBeVisible();
});
