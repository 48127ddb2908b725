// @vitest-environment happy-dom
// What keeps a page: no network, and a session that ended while something was being typed.
import { onlineManager } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import Link from "next/link";
import { afterEach, expect, it, vi } from "vitest";
import { SessionEnded } from "@/components/frame/session-ended";
import { signingOut } from "@/components/frame/sign-out";
import { useGo, useUnsaved } from "@/components/frame/unsaved";
import { show } from "@/components/testing/rendered";
import { sessionEnded } from "@/components/trpc/provider";
import { Dialog } from "@/components/ui/dialogs/dialog";

afterEach(() => {
  onlineManager.setOnline(true);
  vi.restoreAllMocks();
});

function Leaving() {
  const go = useGo();
  return (
    <>
      <Link href="/hosts">Hosts</Link>
      <button type="button" onClick={() => go("/skus")}>
        SKUs
      </button>
    </>
  );
}

it("opens no page without a network, and says so; with one it does", async () => {
  const { went } = show(<Leaving />);
  const user = userEvent.setup();
  onlineManager.setOnline(false);
  await user.click(screen.getByRole("link", { name: "Hosts" }));
  await user.click(screen.getByRole("button", { name: "SKUs" }));
  expect(await screen.findAllByText(/You are offline, so no other page can be opened/)).not.toEqual([]);
  expect(went).toEqual([]);
  onlineManager.setOnline(true);
  await user.click(screen.getByRole("button", { name: "SKUs" }));
  expect(went).toEqual(["/skus"]);
});

function Typed() {
  useUnsaved("The policy is not saved.");
  return <SessionEnded />;
}

const end = () => act(() => void dispatchEvent(new Event(sessionEnded)));
const left = () => vi.spyOn(location, "assign").mockImplementation(() => undefined);

it.each([
  ["a form with changes", <Typed key="form" />],
  [
    "an open dialog",
    <Dialog key="dialog" open onClose={() => undefined} title="Hold">
      <input aria-label="Reason" defaultValue="the drive is loud" />
      <SessionEnded />
    </Dialog>,
  ],
])("a session that ends stays on the page of %s, and says so once", async (_, page) => {
  const assign = left();
  show(page);
  end();
  end();
  expect(await screen.findAllByText(/Your session ended. What you typed is still here/)).toHaveLength(1);
  expect(screen.getByRole("link", { name: "sign in in another tab", hidden: true })).toHaveAttribute(
    "target",
    "_blank",
  );
  expect(assign).not.toHaveBeenCalled();
});

it("a refusal while a person signs out is no session that ended; after one that did not work it is", () => {
  const assign = left();
  show(<SessionEnded />);
  const tell = (detail: boolean) => act(() => void dispatchEvent(new CustomEvent(signingOut, { detail })));
  tell(true);
  end();
  expect(assign).not.toHaveBeenCalled();
  tell(false);
  end();
  expect(assign).toHaveBeenCalledOnce();
});

it("a session that ends leads to the sign-in page and back where nothing was typed", () => {
  const assign = left();
  show(<SessionEnded />);
  end();
  expect(assign).toHaveBeenCalledWith(expect.stringMatching(/^\/signin\?ended=1/));
});
