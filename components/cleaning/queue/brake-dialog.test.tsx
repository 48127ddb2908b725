// @vitest-environment happy-dom
// What put a brake on: its failures, what they have in common, and letting the rest of its group go on with a reason.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import BrakeDialog from "@/components/cleaning/queue/brake-dialog";
import { show } from "@/components/testing/rendered";
import type { BrakeInvestigation, BrakeLine } from "@/server/surfaces/trpc/types";

const brake: BrakeLine = {
  ...{ id: "b1", site: "a", dimension: "model", value: "Dell R750", failed: 10, started: 20 },
  ...{ message: "10 of 20 hosts failed.", engagedAt: new Date(0), holds: 3 },
  ...{ liftedAt: null, liftedBy: null, asks: [], narrowedTo: null },
};
const part = { dimension: "driveFirmware" as const, value: "PM9A3 X" };
const found: BrakeInvestigation = {
  ...{ id: "b1", site: "a", message: brake.message, isOn: true, narrowedTo: null, hosts: 2, others: 40 },
  engagedAt: brake.engagedAt,
  failures: [
    {
      ...{ hostId: "h1", name: "r1-h01", reclamation: "R-1", cause: "Failed", reason: null },
      ...{ failedAt: new Date(0), now: "Queued", stillFailed: false },
    },
    {
      ...{ hostId: "h2", name: null, reclamation: "R-2", cause: null, reason: null },
      ...{ failedAt: null, now: null, stillFailed: false },
    },
  ],
  moreFailures: 3,
  telling: [
    { property: "driveFirmware", value: "PM9A3 X", failed: 2, others: 0, beyondChance: true, part },
    { property: "rack", value: "r1", failed: 2, others: 8, beyondChance: false, part: null },
  ],
  everywhere: [{ property: "image", value: "1.4", failed: 2, others: 39 }],
};

function open(answer: BrakeInvestigation = found, whyNot?: string) {
  const shown = show(<BrakeDialog brake={brake} whyNot={whyNot} onClose={() => undefined} />, {
    answers: {
      "brakes.investigate": () => answer,
      "brakes.narrow": () => ({ narrowed: true, hosts: 3 }),
    },
  });
  return { ...shown, user: userEvent.setup() };
}

it("names the failures, also of mended hosts, and what only the failed hosts have", async () => {
  open();
  const dialog = await screen.findByRole("dialog", { name: "What put the brake on model Dell R750?" });
  await within(dialog).findByText(/drive firmware PM9A3 X/);
  expect(dialog).toHaveTextContent(
    "drive firmware PM9A3 X: 2 of 2 failed hosts, 0 of 40 other hosts Release",
  );
  expect(dialog).toHaveTextContent("rack r1: 2 of 2 failed hosts, 8 of 40 other hosts; this may be chance");
  expect(dialog).toHaveTextContent("Nearly all hosts have this, so it explains nothing: agent image 1.4.");
  expect(dialog).toHaveTextContent("5 failures on 2 hosts");
  expect(dialog).toHaveTextContent("Now Queued.");
  expect(dialog).toHaveTextContent("h2: the history of that time was removed, R-2. The host has left.");
});

it("releases the rest only with a reason, and only for what is known of a host before it begins", async () => {
  const { user, calls } = open();
  const buttons = await screen.findAllByRole("button", { name: /^Release the rest/ });
  expect(buttons).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Release the rest: all but drive firmware PM9A3 X" }));
  const dialog = await screen.findByRole("dialog", { name: "Release all but drive firmware PM9A3 X?" });
  expect(dialog).toHaveTextContent("stay held, and so do hosts of which that is not known");
  await user.type(within(dialog).getByLabelText("Reason"), "only X fails");
  await user.click(within(dialog).getByRole("button", { name: "Release the rest" }));
  const seen = { engagedAt: brake.engagedAt, narrowedTo: null };
  await waitFor(() =>
    expect(calls).toEqual([
      { path: "brakes.narrow", input: { brakeId: "b1", to: [part], seen, reason: "only X fails" } },
    ]),
  );
});

it("names the part that the brake held until now and lets go", async () => {
  const { user } = open({ ...found, narrowedTo: [{ ...part, value: "PM9A3 W" }] });
  await user.click(
    await screen.findByRole("button", { name: "Release the rest: all but drive firmware PM9A3 X" }),
  );
  expect(await screen.findByRole("dialog")).toHaveTextContent(
    "It holds hosts with drive firmware PM9A3 W now: they begin, too, unless they have drive firmware PM9A3 X.",
  );
});

it("offers nothing for a brake that is not on", async () => {
  open({ ...found, isOn: false });
  await screen.findByText(/drive firmware PM9A3 X/);
  expect(screen.queryByRole("button", { name: /^Release the rest/ })).toBeNull();
});

it("a brake of the release before has no failures on record, and the dialog says so", async () => {
  open({ ...found, hosts: 0, failures: [], telling: [], everywhere: [], moreFailures: 0 });
  await screen.findByText("The release that put this brake on did not record its failures.");
});
