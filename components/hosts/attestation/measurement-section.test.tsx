// @vitest-environment happy-dom
// The section Measured boot of a host: what differs from the closest bundle, what explains it, and who may make a bundle of it.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Measurement } from "@/components/hosts/attestation/measurement-section";
import { admin, show } from "@/components/testing/rendered";
import type { HostAttestationView } from "@/server/surfaces/trpc/types";

type Measured = NonNullable<HostAttestationView["measurement"]>;

const at = new Date("2026-11-30T07:00:00Z");
const value = (digit: string) => digit.repeat(64);
const bundle = { id: "0190aaaa-0000-7000-8000-00000000000a", name: "R750 1.8.2", state: "Active" } as const;
const events: Measured["events"] = [
  { pcr: 0, type: "EV_S_CRTM_VERSION", digest: value("1"), text: null },
  { pcr: 1, type: "EV_PLATFORM_CONFIG_FLAGS", digest: value("3"), text: null },
  { pcr: 4, type: "EV_EFI_BOOT_SERVICES_APPLICATION", digest: value("2"), text: "grubx64.efi" },
];
const pending: Measured = {
  ...{ state: "PendingBundle", bootEpoch: 3, askedAt: at, measuredAt: at, problem: null, bundle: null },
  digest: value("d"),
  values: [
    { pcr: 0, value: value("a") },
    { pcr: 1, value: value("b") },
    { pcr: 4, value: value("c") },
  ],
  closest: {
    bundle,
    differences: [
      { pcr: 1, found: value("b"), expected: null },
      { pcr: 4, found: value("c"), expected: value("e") },
    ],
  },
  events,
};
const host = { id: "0190aaaa-0000-7000-8000-000000000001", name: "r1-h01" };

const section = (measurement: HostAttestationView["measurement"], me = admin) =>
  show(<Measurement host={host} measurement={measurement} onDone={() => undefined} />, {
    me,
    answers: { "attestation.promote": () => ({ id: bundle.id }) },
  });
const rowOf = (name: string) =>
  within(screen.getByRole("table", { name: "Registers of boot 3" })).getByRole("row", {
    name: new RegExp(`^${name}\\b`),
  });

it("shows what differs from the closest bundle, and the events of it", async () => {
  section(pending);
  expect(screen.getByText(/No approved bundle expects what boot 3 measured/)).toBeVisible();
  expect(screen.getByText("R750 1.8.2: 1 register differs")).toBeVisible();
  expect(rowOf("0")).toHaveTextContent("same");
  expect(rowOf("1")).toHaveTextContent("any value");
  expect(rowOf("4")).toHaveTextContent(`expected ${value("e")}`);
  expect(rowOf("4")).toHaveTextContent("differs");
  await userEvent.click(screen.getByText("Events"));
  const shown = screen.getByRole("table", { name: "Events of the firmware" });
  expect(within(shown).getByText("grubx64.efi")).toBeVisible();
  expect(within(shown).getAllByRole("row")).toHaveLength(2);
});

it("requests a bundle of the values that are shown, of the registers that are left", async () => {
  const { calls } = section(pending);
  await userEvent.click(screen.getByRole("button", { name: "Promote…" }));
  await userEvent.type(screen.getByLabelText("Name"), "R750 1.8.2, image 7");
  const registers = screen.getByLabelText(/^Registers/);
  expect(registers).toHaveValue("0, 1, 4");
  await userEvent.clear(registers);
  await userEvent.type(registers, "4, 0");
  await userEvent.type(screen.getByLabelText("Reason"), "watched its boot");
  await userEvent.click(screen.getByRole("button", { name: "Request the bundle" }));
  expect(await screen.findByText(/waits for another person's approval/)).toBeVisible();
  expect(calls).toEqual([
    {
      path: "attestation.promote",
      input: {
        ...{ hostId: host.id, digest: value("d"), pcrs: [0, 4] },
        ...{ name: "R750 1.8.2, image 7", reason: "watched its boot" },
      },
    },
  ]);
});

it("offers no bundle to those who may not request one, and none where nothing was measured", () => {
  const { unmount } = section(pending, { ...admin, role: "operator" });
  expect(screen.getByRole("button", { name: "Promote…" })).toHaveAttribute("aria-disabled", "true");
  unmount();
  section({
    ...pending,
    ...{ state: "MeasuringFailed", problem: "the quote has another nonce than the one that was asked for" },
    ...{ measuredAt: null, digest: null, values: [], closest: null, events: null },
  });
  expect(screen.getByText(/Not measured in boot 3: the quote has another nonce/)).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.queryByRole("table")).toBeNull();
});

it("says by which bundle a boot is measured, and that none was asked", () => {
  const { unmount } = section({
    ...pending,
    state: "Measured",
    bundle,
    closest: { bundle, differences: [] },
  });
  expect(screen.getByText("In boot 3 the host measured what the bundle R750 1.8.2 expects.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Promote…" })).toBeNull();
  unmount();
  section(null);
  expect(screen.getByText("No boot of this host was asked for a quote.")).toBeVisible();
});
