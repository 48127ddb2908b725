// @vitest-environment happy-dom
// Shortcuts: the key is not typed into the field it focuses, and is ignored while typing or while a dialog is open. `g` and a letter reach every page.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { useKey } from "@/components/frame/keyboard";
import { show } from "@/components/testing/rendered";
import { Dialog } from "@/components/ui/dialogs/dialog";

function Page({ heard }: { heard: string[] }) {
  const [open, setOpen] = useState(false);
  useKey("h", () => {
    heard.push("h");
    setOpen(true);
  });
  return (
    <>
      <input aria-label="Beside" />
      <Dialog open={open} onClose={() => setOpen(false)} title="Hold">
        <input aria-label="Reason" autoFocus />
      </Dialog>
    </>
  );
}

it("a key that opens a dialog is not typed into its field, and is not heard again while it is open", async () => {
  const heard: string[] = [];
  show(<Page heard={heard} />);
  const user = userEvent.setup();
  await user.keyboard("h");
  const reason = await screen.findByLabelText("Reason");
  expect(reason).toHaveFocus();
  expect(reason).toHaveValue("");
  await user.keyboard("h");
  reason.blur();
  await user.keyboard("h");
  expect(heard).toEqual(["h"]);
  expect(reason).toHaveValue("h");
});

it("a key is a letter where somebody types", async () => {
  const heard: string[] = [];
  show(<Page heard={heard} />);
  await userEvent.setup().type(screen.getByLabelText("Beside"), "hh");
  expect(screen.getByLabelText("Beside")).toHaveValue("hh");
  expect(heard).toEqual([]);
});

it("g and a letter lead to pages below those of the rail", async () => {
  const { went } = show(<Page heard={[]} />);
  await userEvent.setup().keyboard("grgo");
  expect(went).toEqual(["/cleaning/runs", "/settings/tokens"]);
});
