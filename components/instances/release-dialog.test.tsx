// @vitest-environment happy-dom
// The release dialog: one instance is released with an issue, several without.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { show } from "@/components/testing/rendered";
import { ReleaseDialog } from "@/components/instances/release-dialog";

const instance = (name: string) => ({ id: name, name, hostName: null, refusal: null });
const shown = (names: readonly string[]) => {
  const onRelease = vi.fn();
  show(
    <ReleaseDialog
      chosen={names.map(instance)}
      onClose={() => undefined}
      onRelease={onRelease}
      busy={false}
      problem={undefined}
    />,
  );
  return onRelease;
};

it("releases with an issue once its summary is there", async () => {
  const user = userEvent.setup();
  const onRelease = shown(["train-1"]);
  await user.type(screen.getByLabelText(/Type train-1/), "train-1");
  await user.selectOptions(screen.getByLabelText(/Is something wrong/), "Network");
  const release = screen.getByRole("button", { name: /Release train-1/ });
  await user.click(release);
  expect(onRelease).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText(/Summary/), "port 2 is down");
  await user.click(release);
  const issue = { category: "Network", summary: "port 2 is down", details: "" };
  expect(onRelease).toHaveBeenLastCalledWith(["train-1"], issue, false);
  await user.click(screen.getByLabelText(/Ask for a replacement/));
  await user.click(release);
  expect(onRelease).toHaveBeenLastCalledWith(["train-1"], issue, true);
  await user.selectOptions(screen.getByLabelText(/Is something wrong/), "");
  expect(screen.queryByLabelText(/Ask for a replacement/)).toBeNull();
  await user.click(release);
  expect(onRelease).toHaveBeenLastCalledWith(["train-1"], null, false);
});

it("asks nothing of the machines of several", async () => {
  const user = userEvent.setup();
  const onRelease = shown(["a", "b"]);
  expect(screen.queryByLabelText(/Is something wrong/)).toBeNull();
  await user.type(screen.getByLabelText(/Type release 2/), "release 2");
  await user.click(screen.getByRole("button", { name: /Release 2 instances/ }));
  expect(onRelease).toHaveBeenCalledWith(["a", "b"], null, false);
});
