// @vitest-environment happy-dom
// The section BMC of a host: the last report, and who may have it tested.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { BmcReport } from "@/components/hosts/one/bmc/bmc-section";
import { action, failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";
import type { BmcTest } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-30T07:00:00Z");
const tested: BmcTest = {
  wantedAt: null,
  unreadableAt: null,
  reset: null,
  report: {
    at,
    address: "https://10.0.0.7",
    verdict: "doesNotWork",
    checks: [
      { check: "port", status: "passed", says: "Port 443 accepts connections (2 ms).", todo: null },
      {
        check: "signIn",
        status: "failed",
        says: "POST was answered 401.",
        todo: "Change BMC: user and password.",
      },
      { check: "system", status: "notMade", says: "It needs Sign-in, which has not passed.", todo: null },
    ],
  },
};

function section(test: BmcTest, may = true) {
  const onTest = vi.fn();
  show(
    <BmcReport
      host={{ ...failedHost, actions: may ? [action("setBmc")] : [] }}
      test={test}
      busy={false}
      onTest={onTest}
      onReset={vi.fn()}
    />,
    {},
  );
  return onTest;
}

it("says what each check found, and what to do", () => {
  section(tested);
  expect(screen.getByText(/Reclaim cannot work with this BMC as it is/)).toBeVisible();
  expect(
    screen.getByRole("row", { name: /Sign-in.*failed.*POST was answered 401.*Change BMC/ }),
  ).toBeVisible();
  expect(screen.getByRole("row", { name: /System.*not made.*needs Sign-in/ })).toBeVisible();
  expect(screen.getByRole("button", { name: "Copy the report" })).toBeVisible();
});

it("offers the test to those who may change how the BMC is reached, once at a time", async () => {
  section(tested, false);
  expect(screen.queryByRole("button", { name: "Test BMC" })).toBeNull();
  const onTest = section({ wantedAt: null, report: null, unreadableAt: null, reset: null });
  expect(screen.getByText("Not tested")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Test BMC" }));
  expect(onTest).toHaveBeenCalledOnce();
});

it("offers no second test while one is requested", async () => {
  const onTest = section({ ...tested, wantedAt: at });
  await userEvent.click(screen.getByRole("button", { name: "Test BMC" }));
  expect(onTest).not.toHaveBeenCalled();
});

it("says that a report cannot be read, and offers the test", async () => {
  const onTest = section({ wantedAt: null, report: null, unreadableAt: at, reset: null });
  expect(screen.queryByText("Not tested")).toBeNull();
  expect(screen.getByText("The report cannot be read")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Test BMC" }));
  expect(onTest).toHaveBeenCalledOnce();
});

it("offers the reset to those who may restart the host, and says how far it is", () => {
  const reset = {
    phase: "away",
    requestedAt: at,
    requestedBy: "kim",
    reason: "console hangs",
    type: "GracefulRestart",
    sentAt: at,
    awayAt: at,
    endedAt: null,
    says: "GET got no answer.",
    todo: null,
  } as const;
  const shown = (may: boolean, given: BmcTest["reset"]) => {
    const onReset = vi.fn();
    show(
      <BmcReport
        host={{ ...failedHost, actions: may ? [action("reboot")] : [] }}
        test={{ wantedAt: null, report: null, unreadableAt: null, reset: given }}
        busy={false}
        onTest={vi.fn()}
        onReset={onReset}
      />,
      {},
    );
    return onReset;
  };
  shown(false, null);
  expect(screen.queryByRole("button", { name: "Reset BMC" })).toBeNull();
  const onReset = shown(true, null);
  screen.getByRole("button", { name: "Reset BMC" }).click();
  expect(onReset).toHaveBeenCalledOnce();
  shown(true, reset);
  expect(screen.getByText(/Reset requested .* by kim \(console hangs\)/)).toHaveTextContent(
    /away for .*: BMC is not back yet\. GET got no answer\./,
  );
});
