// @vitest-environment happy-dom
// A disabled button says why, and keeps the focus when that changes.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { show } from "@/components/testing/rendered";
import { Button } from "@/components/ui/button";

it("does nothing while there is a reason, and says it", async () => {
  const clicks: number[] = [];
  const user = userEvent.setup();
  const { rerender } = show(<Button onClick={() => clicks.push(1)}>Save</Button>);
  const button = screen.getByRole("button", { name: "Save" });
  await user.click(button);
  rerender(
    <Button onClick={() => clicks.push(2)} disabledReason="No changes">
      Save
    </Button>,
  );
  await user.click(button);
  await user.keyboard("{Enter}");
  expect(clicks).toEqual([1]);
  expect(button).toHaveAccessibleDescription("No changes");
});

it("keeps the focus when a reason comes and goes", () => {
  const { rerender } = show(<Button>Save</Button>);
  const button = screen.getByRole("button", { name: "Save" });
  button.focus();
  rerender(<Button disabledReason="No changes">Save</Button>);
  expect(button).toHaveFocus();
  rerender(<Button>Save</Button>);
  expect(button).toHaveFocus();
});
