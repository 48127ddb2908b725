// @vitest-environment happy-dom
// The release dialog: one instance is released with an issue, several without.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { show } from "@/components/testing/rendered";
import { ReleaseDialog } from "@/components/instances/release-dialog";

const instance = (name: string) => ({
  ...{ id: name, name, host: null },
  release: { allowed: true, reason: null },
});
const shown = (names: readonly string[]) =>
  show(
    <ReleaseDialog chosen={names.map(instance)} onClose={() => undefined} onReleased={() => undefined} />,
    { answers: { "instances.release": () => names.map((id) => ({ id, ok: false, message: "Not now." })) } },
  ).calls;
const sent = (ids: string[], issue: unknown, replacementWanted: boolean) => ({
  path: "instances.release",
  input: { ids, issue, replacementWanted },
});

it("releases with an issue once its summary is there", async () => {
  const user = userEvent.setup();
  const calls = shown(["train-1"]);
  await enter(user, screen.getByLabelText(/Type train-1/), "train-1");
  await user.selectOptions(screen.getByLabelText(/Is something wrong/), "Network");
  const release = screen.getByRole("button", { name: /Release train-1/ });
  await user.click(release);
  expect(calls).toEqual([]);
  await enter(user, screen.getByLabelText(/Summary/), "port 2 is down");
  await user.click(release);
  const issue = { category: "Network", summary: "port 2 is down", details: "" };
  expect(calls).toEqual([sent(["train-1"], issue, false)]);
  expect(await screen.findByText("Not now.")).toBeVisible();
  await user.click(screen.getByLabelText(/Ask for a replacement/));
  await user.click(release);
  expect(calls[1]).toEqual(sent(["train-1"], issue, true));
  await user.selectOptions(screen.getByLabelText(/Is something wrong/), "");
  expect(screen.queryByLabelText(/Ask for a replacement/)).toBeNull();
  await user.click(release);
  expect(calls[2]).toEqual(sent(["train-1"], null, false));
});

it("asks nothing of the machines of several", async () => {
  const user = userEvent.setup();
  const calls = shown(["a", "b"]);
  expect(screen.queryByLabelText(/Is something wrong/)).toBeNull();
  await enter(user, screen.getByLabelText(/Type release 2/), "release 2");
  await user.click(screen.getByRole("button", { name: /Release 2 instances/ }));
  expect(calls).toEqual([sent(["a", "b"], null, false)]);
});
