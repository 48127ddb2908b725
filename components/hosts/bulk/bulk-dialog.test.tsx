// @vitest-environment happy-dom
// A bulk act: first the reason, then the preview of who can and who cannot, and only then the run.
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { BulkDialog } from "@/components/hosts/bulk/bulk-dialog";
import { Refusal, show, type Answers } from "@/components/testing/rendered";
import type { BulkIntent } from "@/server/domain/hosts/bulk-intents";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { BulkPreview } from "@/server/surfaces/trpc/types";

const preview: BulkPreview = {
  id: "run-1",
  intent: "retry",
  total: 4,
  can: 3,
  cannot: 1,
  reasons: [{ reason: "it has not failed", count: 1, hosts: ["r1-h04"] }],
  erases: false,
  abandons: 0,
  ready: [],
  isLarge: false,
};
const onThree = `${hostActions.retry.words} on 3 hosts`;
const target = { filter: "state:Failed" };

function open(intent: BulkIntent, answers: Answers) {
  const closed: number[] = [];
  const shown = show(<BulkDialog intent={intent} target={target} onClose={() => closed.push(1)} />, {
    answers,
  });
  return { ...shown, closed, user: userEvent.setup() };
}

it("says how many can and why the others cannot, and runs exactly what was previewed", async () => {
  const { user, calls, went } = open("retry", {
    "bulk.preview": () => preview,
    "bulk.start": () => ({ id: "run-1" }),
  });
  expect(screen.getByRole("button", { name: / on these hosts$/ })).toHaveAccessibleDescription(
    "Checking which hosts qualify…",
  );
  const confirm = await screen.findByRole("button", { name: onThree });
  expect(screen.getByRole("dialog")).toHaveTextContent("3 of 4 selected hosts will change.");
  expect(screen.getByRole("list", { name: "Hosts that are left out" })).toHaveTextContent(
    "r1-h04: it has not failed",
  );
  await user.click(confirm);
  await waitFor(() => expect(went).toEqual(["/cleaning/runs/run-1"]));
  expect(calls).toEqual([
    { path: "bulk.preview", input: { intent: "retry", target } },
    { path: "bulk.start", input: { id: "run-1" } },
  ]);
});

it("asks for a reason before it checks, and keeps it with the preview", async () => {
  const { user, calls } = open("setMaintenance", { "bulk.preview": () => preview });
  await enter(user, screen.getByLabelText("Reason"), "firmware");
  expect(calls).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Preview" }));
  await screen.findByText(/of 4 selected hosts will change/);
  expect(calls).toEqual([
    { path: "bulk.preview", input: { intent: "setMaintenance", target, reason: "firmware" } },
  ]);
});

it("what erases asks to type how many hosts", async () => {
  const { user, calls } = open("retry", {
    "bulk.preview": () => ({ ...preview, erases: true, isLarge: true }),
    "bulk.start": () => ({ id: "run-1" }),
  });
  const confirm = await screen.findByRole("button", { name: onThree });
  expect(confirm).toHaveAccessibleDescription("Type 3 to confirm");
  await user.type(screen.getByLabelText("Type 3 to confirm"), "3{Enter}");
  await waitFor(() => expect(calls.at(-1)?.path).toBe("bulk.start"));
});

it("says what is left to allocate, and asks to type the number where it is large", async () => {
  const ready = [
    { site: "dfw", sku: "R760", now: 93, after: 0 },
    { site: "ams", sku: null, now: 12, after: 9 },
  ];
  const { calls, user } = open("manage", {
    "bulk.preview": () => ({ ...preview, intent: "manage", ready, isLarge: true }),
    "bulk.start": () => ({ id: "run-1" }),
  });
  const list = await screen.findByRole("list", { name: "Ready hosts before and after" });
  expect(list).toHaveTextContent("Ready, R760, site dfw: 93 → 0; none is left to allocate");
  expect(list).toHaveTextContent("Ready, without a SKU, site ams: 12 → 9");
  await user.type(screen.getByLabelText("Type 3 to confirm"), "3{Enter}");
  await waitFor(() => expect(calls.at(-1)?.path).toBe("bulk.start"));
});

it("asks to type the number where a server of the last release does not say what it takes", async () => {
  const { ready: _, isLarge: __, ...old } = preview;
  open("manage", { "bulk.preview": () => ({ ...old, intent: "manage" }) });
  expect(await screen.findByText(/How many Ready hosts this takes is not known/)).toBeVisible();
  expect(screen.getByLabelText("Type 3 to confirm")).toBeVisible();
});

it("cannot run where none can", async () => {
  open("retry", { "bulk.preview": () => ({ ...preview, can: 0, cannot: 4 }) });
  await screen.findByText(/of 4 selected hosts will change/);
  expect(screen.getByRole("button", { name: / on 0 hosts$/ })).toHaveAccessibleDescription(
    "None of the hosts qualifies",
  );
});

it("says that the check failed, and checks again", async () => {
  let tries = 0;
  const { user } = open("retry", {
    "bulk.preview": () => {
      tries += 1;
      if (tries === 1) throw new Refusal("The database is busy.");
      return preview;
    },
  });
  expect(await screen.findByRole("alert")).toHaveTextContent("The database is busy.");
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("button", { name: onThree })).toBeVisible();
});
