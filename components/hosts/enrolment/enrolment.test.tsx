// @vitest-environment happy-dom
// Enrolment in the console: a list is checked before it is sent, and stopped hosts offer the act they need.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { EnrolPage, hostFields } from "@/components/hosts/enrolment/enrol-page";
import { EnrolmentPage } from "@/components/hosts/enrolment/enrolment-page";
import { admin, show } from "@/components/testing/rendered";
import { hostLine } from "@/server/domain/hosts/enrolment/host-line";
import type { Enrolled, EnrolmentLine, EnrolmentView } from "@/server/surfaces/trpc/types";

const scopes = { sites: [{ id: "s", name: "a", automatedClean: true }], skus: [] };
const id = "00000000-0000-4000-8000-0000000000e1";
const checked: Enrolled = {
  id: null,
  site: "a",
  enrolled: 1,
  refused: 1,
  notice: null,
  lines: [
    { line: 2, name: "gpu-1", hostId: null, faults: [] },
    {
      line: 3,
      name: "gpu-2",
      hostId: null,
      faults: [{ line: 3, column: "bmc_address", message: "line 2 has the same BMC address" }],
    },
  ],
};
const csv = "name,bmc_address\ngpu-1,10.0.0.1\ngpu-2,10.0.0.1\n";

describe("a list", () => {
  it("is checked, shows its faults, and is sent as it was checked", async () => {
    const user = userEvent.setup();
    const { calls, went } = show(<EnrolPage by="list" />, {
      answers: {
        "cleaning.scopes": () => scopes,
        "enrolment.enroll": (input) => ((input as { dryRun: boolean }).dryRun ? checked : { ...checked, id }),
      },
    });
    const send = await screen.findByRole("button", { name: /^Enrol hosts/ });
    expect(send).toHaveAttribute("aria-disabled", "true");
    await user.click(await screen.findByLabelText(/^List/));
    await user.paste(csv);
    await user.click(screen.getByRole("button", { name: /^Check list/ }));
    const table = await screen.findByRole("table", { name: "Problems in the list" });
    expect(within(table).getByText("line 2 has the same BMC address")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Enrol 1 host" }));
    await expect.poll(() => went).toEqual([`/enrolments/${id}`]);
    expect(calls.map(({ input }) => input)).toMatchObject([
      { site: "a", csv, dryRun: true, firstContact: "confirm", goal: "ready" },
      { site: "a", csv, dryRun: false },
    ]);
  });

  it("may be a workbook, which is sent as it is, and says which sheets were not read", async () => {
    const user = userEvent.setup();
    const notice = "The workbook has 2 sheets. Only the first one was read.";
    const { calls, container } = show(<EnrolPage by="list" />, {
      answers: { "cleaning.scopes": () => scopes, "enrolment.enroll": () => ({ ...checked, notice }) },
    });
    await screen.findByLabelText(/^List/);
    const bytes = Uint8Array.from([0x50, 0x4b, 3, 4, 0xff, 0]);
    const chooser = container.querySelector<HTMLInputElement>("input[type=file]");
    if (chooser === null) throw new Error("no file chooser");
    await user.upload(chooser, new File([bytes], "hosts.xlsx"));
    expect(await screen.findByText("Workbook hosts.xlsx")).toBeVisible();
    await user.click(screen.getByRole("button", { name: /^Check list/ }));
    expect(await screen.findByText(notice)).toBeVisible();
    expect(calls[0]?.input).toMatchObject({ workbook: "UEsDBP8A", fileName: "hosts.xlsx", dryRun: true });
    expect(calls[0]?.input).not.toHaveProperty("csv");
    await user.click(screen.getByRole("button", { name: "Remove file" }));
    expect(await screen.findByLabelText(/^List/)).toHaveValue("");
  });

  it("waits for a site, and says where one is made", async () => {
    show(<EnrolPage by="list" />, { answers: { "cleaning.scopes": () => ({ ...scopes, sites: [] }) } });
    expect(await screen.findByRole("link", { name: "Go to Settings" })).toHaveAttribute("href", "/settings");
    expect(screen.getByRole("button", { name: /^Check list/ })).toHaveAccessibleDescription("No site yet");
  });

  it("is offered to nobody who may not enrol", async () => {
    show(<EnrolmentPage id={id} stage={null} />, {
      me: { ...admin, role: "auditor", mayWriteHosts: false },
      answers: { "enrolment.get": () => view },
    });
    expect(await screen.findByRole("heading", { name: "Enrolment of 2 hosts" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "Enrol hosts" })).toBeNull();
  });
});

describe("one host", () => {
  it("has a field for everything that a line of a list can say, but a reference to a password", () => {
    const columns = Object.keys(hostLine.shape).filter((name) => name !== "bmcPasswordFrom");
    expect(Object.keys(hostFields).sort()).toEqual(columns.sort());
  });

  it("needs a user and a password, or a set of the site in their place", async () => {
    const user = userEvent.setup();
    const { calls } = show(<EnrolPage by="host" />, {
      answers: { "cleaning.scopes": () => scopes, "enrolment.enroll": () => ({ ...checked, lines: [], id }) },
    });
    await enter(user, await screen.findByLabelText("Name"), "gpu-1");
    await enter(user, screen.getByLabelText("BMC address"), "10.0.0.1");
    expect(screen.getByRole("button", { name: "Enrol host" })).toHaveAccessibleDescription(
      "Enter the BMC's user",
    );
    await user.type(screen.getByLabelText(/^BMC credentials/), "lab");
    await user.click(screen.getByRole("button", { name: "Enrol host" }));
    await expect.poll(() => calls).toHaveLength(1);
    expect(calls[0]?.input).toMatchObject({ hosts: [{ name: "gpu-1", bmcCredentials: "lab" }] });
  });
});

const line = (over: Partial<EnrolmentLine>): EnrolmentLine => ({
  line: 2,
  name: "gpu-1",
  stage: "refused",
  host: null,
  identity: null,
  certificate: null,
  pinned: null,
  says: "Not enrolled",
  advice: "Correct the line and enrol it again.",
  acts: [],
  faults: [],
  ...over,
});
const view: EnrolmentView = {
  id,
  site: "a",
  at: new Date("2026-11-22T12:00:00Z"),
  byName: "Olga",
  goal: "ready",
  firstContact: "confirm",
  fileName: "hosts.csv",
  lines: 2,
  counts: { refused: 1, stopped: 1, confirm: 0, verifying: 0, cleaning: 0, done: 0, gone: 0 },
  over: true,
  reasons: [
    { name: "gpu-7", hosts: 12, says: "no SKU is of Dell", advice: "Create a SKU.", acts: ["assignSku"] },
  ],
  rows: [
    line({ faults: [{ line: 2, column: "macs", message: "must be a MAC address" }] }),
    line({ line: 3, stage: "gone", says: "Deleted since", advice: "" }),
  ],
  nextCursor: null,
};

describe("an enrolment", () => {
  it("says how far it is, what is wrong with each line, and lets those that stopped go on", async () => {
    const user = userEvent.setup();
    const { calls } = show(<EnrolmentPage id={id} stage={null} />, {
      answers: { "enrolment.get": () => view, "enrolment.retry": () => ({ asked: 1 }) },
    });
    expect(await screen.findByRole("heading", { name: "Enrolment of 2 hosts" })).toBeVisible();
    expect(screen.getByText("One host needs attention. One line was not enrolled.")).toBeVisible();
    expect(screen.getByRole("list", { name: "Why hosts stopped" })).toHaveTextContent(
      "gpu-7 and 11 more hosts: no SKU is of Dell. Create a SKU. Open SKUs",
    );
    expect(screen.getByRole("link", { name: /^Stopped/ })).toHaveAttribute(
      "href",
      `/enrolments/${id}?stage=stopped`,
    );
    await user.click(screen.getByRole("button", { name: "Retry stopped hosts" }));
    await expect.poll(() => calls).toEqual([{ path: "enrolment.retry", input: { id } }]);
  });
});
