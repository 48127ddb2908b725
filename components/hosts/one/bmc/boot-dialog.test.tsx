// @vitest-environment happy-dom
// Boot settings of a host: only changed fields are sent, only what the BMC and the state allow is offered, and the last reading is shown.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { BootDialog } from "@/components/hosts/one/bmc/boot-dialog";
import { formatBoot } from "@/components/hosts/one/bmc/boot-text";
import { action, failedHost } from "@/components/testing/host";
import { Refusal, show, type Answers } from "@/components/testing/rendered";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { HostDetail } from "@/server/surfaces/trpc/types";

const read = {
  devices: ["pxe", "disk"],
  device: null,
  persistent: false,
  mode: "uefi",
  secureBoot: false,
} satisfies HostDetail["boot"];
const manageable: HostDetail = { ...failedHost, state: "Manageable", boot: read };
const ofHost = { hostId: failedHost.id, stateVersion: "7" };

function open(host: HostDetail, answers: Answers = { "host.setBoot": () => ({ accepted: true }) }) {
  const closed: number[] = [];
  const { calls } = show(
    <BootDialog
      host={host}
      action={action("setBoot")}
      onClose={() => closed.push(1)}
      onDone={() => undefined}
    />,
    { answers },
  );
  const dialog = within(screen.getByRole("dialog", { name: "Set boot: r1-h01?" }));
  return { calls, closed, dialog, user: userEvent.setup() };
}
const optionsOf = (dialog: ReturnType<typeof within>, label: string) =>
  within(dialog.getByLabelText(label))
    .getAllByRole("option")
    .map(({ textContent }) => textContent);

it("says what will happen, and wants something to be chosen", async () => {
  const { dialog, calls, user } = open(manageable);
  expect(dialog.getByText(hostActions.setBoot.consequence)).toBeVisible();
  const confirm = dialog.getByRole("button", { name: "Set boot" });
  expect(confirm).toHaveAccessibleDescription("Select what to change");
  await user.click(confirm);
  expect(calls).toEqual([]);
});

it("a device is for the next boot unless said otherwise; what is left as it is, is not sent", async () => {
  const { dialog, calls, closed, user } = open(manageable);
  await user.selectOptions(dialog.getByLabelText("Boot device"), "Network (PXE)");
  await user.click(dialog.getByRole("button", { name: "Set boot" }));
  await waitFor(() => expect(closed).toHaveLength(1));
  expect(calls).toEqual([{ path: "host.setBoot", input: { ...ofHost, device: "pxe", persistent: false } }]);
});

it("mode and secure boot are sent without a device", async () => {
  const { dialog, calls, closed, user } = open(manageable);
  await user.selectOptions(dialog.getByLabelText("Boot mode"), "BIOS (legacy)");
  await user.selectOptions(dialog.getByLabelText("Secure boot"), "on");
  await user.click(dialog.getByRole("button", { name: "Set boot" }));
  await waitFor(() => expect(closed).toHaveLength(1));
  expect(calls).toEqual([{ path: "host.setBoot", input: { ...ofHost, mode: "bios", secureBoot: true } }]);
});

it("offers the devices of the BMC, and says what is set now", () => {
  const { dialog } = open({ ...manageable, boot: { ...read, device: "disk", secureBoot: true } });
  expect(optionsOf(dialog, "Boot device")).toEqual(["leave as it is (Disk)", "Network (PXE)", "Disk"]);
  expect(optionsOf(dialog, "Boot mode")[0]).toBe("leave as it is (UEFI)");
  expect(optionsOf(dialog, "Secure boot")[0]).toBe("leave as it is (on)");
});

it("does not ask for what would outlast a tenant, nor for what the BMC does not have", () => {
  const { dialog } = open({ ...manageable, state: "Assigned/Ready" });
  expect(dialog.queryByLabelText("Boot mode")).toBeNull();
  expect(dialog.queryByLabelText("Secure boot")).toBeNull();
});

it("does not ask for a boot mode that the BMC does not offer; one that was not read yet has all devices", () => {
  expect(
    open({ ...manageable, boot: { ...read, mode: null } }).dialog.queryByLabelText("Boot mode"),
  ).toBeNull();
});

it("of a BMC that was not read yet all is offered", () => {
  const { dialog } = open({ ...manageable, boot: null });
  expect(optionsOf(dialog, "Boot device")).toHaveLength(7);
  expect(dialog.getByLabelText("Boot mode")).toBeVisible();
});

it("what the server refuses is said, and nothing is lost", async () => {
  const { dialog, closed, user } = open(manageable, {
    "host.setBoot": () => {
      throw new Refusal("The host was released meanwhile.");
    },
  });
  await user.selectOptions(dialog.getByLabelText("Boot device"), "Disk");
  await user.click(dialog.getByRole("button", { name: "Set boot" }));
  expect(await dialog.findByText(/The host was released meanwhile/)).toBeVisible();
  expect(dialog.getByLabelText("Boot device")).toHaveDisplayValue("Disk");
  expect(closed).toEqual([]);
});

it.each([
  [{ boot: null, state: "Manageable" }, null],
  [{ boot: read, state: "Assigned/Ready" }, null],
  [{ boot: { ...read, device: "pxe" }, state: "Assigned/Ready" }, "Network (PXE) at the next boot"],
  [
    { boot: { ...read, device: "disk", persistent: true, secureBoot: true }, state: "Manageable" },
    "Disk at every boot, UEFI, secure boot on",
  ],
] as const)("the host's facts say of %j: %s", ({ boot, state }, words) =>
  expect(formatBoot({ ...failedHost, boot: boot === null ? null : { ...boot, devices: null }, state })).toBe(
    words,
  ),
);
