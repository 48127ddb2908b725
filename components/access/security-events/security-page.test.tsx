// @vitest-environment happy-dom
// The *Security* page: filter, an event with what to do, acknowledging it, and who may; and the notice on a host's page.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { describe, expect, it, onTestFinished } from "vitest";
import { enter } from "@/components/testing/enter";
import { HostSecurityNotice } from "@/components/access/security-events/host-security";
import { SecurityPage } from "@/components/access/security-events/security-page";
import { admin, show } from "@/components/testing/rendered";
import { securityEventKinds } from "@/server/domain/access/security-events/kinds";
import type { SecurityEventLine } from "@/server/surfaces/trpc/types";

const event: SecurityEventLine = {
  id: "00000000-0000-4000-8000-0000000000a1",
  kind: "reportForged",
  ...securityEventKinds.reportForged,
  hostId: "00000000-0000-4000-8000-000000000001",
  hostName: "gpu-a-0417",
  hostIsHere: true,
  site: "berlin-1",
  address: "192.0.2.7",
  others: null,
  tried: ["reported on a step run or attempt that is not this agent's"],
  paths: ["POST /agent/v1/step-runs/…/result"],
  firstAt: new Date("2026-11-20T11:00:00Z"),
  lastAt: new Date("2026-11-20T11:30:00Z"),
  count: 12,
  acknowledged: null,
};
const acknowledgedId = "00000000-0000-4000-8000-0000000000a2";
const page = (search: string, me = admin, rows: readonly SecurityEventLine[] = [event]) =>
  show(
    <Suspense>
      <SecurityPage />
    </Suspense>,
    {
      path: "/security",
      search,
      me,
      answers: {
        "security.list": () => ({ rows, nextCursor: null }),
        "security.get": () => event,
        "security.acknowledge": () => ({ acknowledged: 1 }),
      },
    },
  );

describe("the page", () => {
  it("lists what was tried with its full time, and opens it with what to do", async () => {
    page(`open=${event.id}`);
    expect(await screen.findByRole("button", { name: "Forged report" })).toBeVisible();
    const table = screen.getByRole("table", { name: "Security events" });
    expect(table).toHaveTextContent(/20 Nov 2026, \d\d:30:00 \S+/);
    expect(await screen.findByText(event.whatToDo)).toBeVisible();
    expect(screen.getByText("POST /agent/v1/step-runs/…/result")).toBeVisible();
  });

  it("filters by the host and the address that were typed", async () => {
    const user = userEvent.setup();
    const { went } = page("");
    await enter(user, await screen.findByRole("textbox", { name: "Host" }), "gpu-a");
    await enter(user, screen.getByRole("textbox", { name: "Address" }), "192.0.2.7");
    await user.click(screen.getByRole("button", { name: "Filter" }));
    expect(went).toEqual(["/security?host=gpu-a&address=192.0.2.7"]);
  });

  it("acknowledges with a note", async () => {
    const user = userEvent.setup();
    const { calls } = page(`open=${event.id}`);
    await user.click(await screen.findByRole("button", { name: "Acknowledge" }));
    const dialog = within(await screen.findByRole("dialog"));
    await enter(user, dialog.getByRole("textbox"), "our own scanner");
    await user.click(dialog.getByRole("button", { name: "Acknowledge" }));
    expect(calls).toEqual([
      { path: "security.acknowledge", input: { ids: [event.id], note: "our own scanner" } },
    ]);
  });

  it("acknowledges the events that are selected, and offers none that somebody has acknowledged", async () => {
    const user = userEvent.setup();
    const { calls, went } = page("show=all", admin, [
      event,
      {
        ...event,
        id: acknowledgedId,
        hostName: "gpu-a-0500",
        acknowledged: { at: event.lastAt, by: "Bo", note: null },
      },
    ]);
    await user.click(await screen.findByRole("checkbox", { name: "Select Forged report, gpu-a-0417" }));
    expect(screen.queryByRole("checkbox", { name: /gpu-a-0500/ })).toBeNull();
    expect(went).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Acknowledge 1 event" }));
    const dialog = within(await screen.findByRole("dialog"));
    await enter(user, dialog.getByRole("textbox"), "our own scanner");
    await user.click(dialog.getByRole("button", { name: "Acknowledge" }));
    expect(calls).toEqual([
      { path: "security.acknowledge", input: { ids: [event.id], note: "our own scanner" } },
    ]);
  });

  it("opens the event whose row is clicked, and keeps the order of the list", async () => {
    history.replaceState(null, "", "/security?sort=-count");
    onTestFinished(() => history.replaceState(null, "", "/"));
    const { went } = page("sort=-count");
    await userEvent.click(await screen.findByRole("button", { name: "Forged report" }));
    expect(went).toEqual([`/security?open=${event.id}&sort=-count`]);
  });

  it("offers an auditor nothing to acknowledge", async () => {
    page(`open=${event.id}`, { ...admin, role: "auditor" });
    expect(await screen.findByText(event.whatToDo)).toBeVisible();
    expect(screen.queryByRole("button", { name: /Acknowledge/ })).toBeNull();
    expect(screen.queryByRole("checkbox", { name: /^Select/ })).toBeNull();
  });
});

it("a host's page says that something was tried, and leads there", async () => {
  show(<HostSecurityNotice host={{ id: event.hostId ?? "", name: "gpu-a-0417" }} />, {
    answers: { "security.list": () => ({ rows: [event], nextCursor: null }) },
  });
  expect(await screen.findByText(/1 security event of this host/)).toBeVisible();
  expect(screen.getByRole("link")).toHaveAttribute("href", "/security?host=gpu-a-0417");
});
