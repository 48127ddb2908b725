// @vitest-environment happy-dom
// The demo menu: shown only to users who may use it, with what the desk offers and the result of an order.
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { enter } from "@/components/testing/enter";
import { DemoProvider, useDemoMenu } from "@/components/demo/demo-menu";
import { admin, show } from "@/components/testing/rendered";

const asked: { readonly method: string; readonly body: unknown }[] = [];
let on: boolean;
const offer = () => ({
  words: "Nothing here is real.",
  switch: {
    title: "Living demo",
    words: "People come and go.",
    on,
    trouble: on ? "No machine has come back." : null,
  },
  drills: [{ name: "failDrive", title: "Fail a drive", words: "One drive fails." }],
});

beforeEach(() => {
  asked.length = 0;
  on = true;
  vi.stubGlobal("fetch", (_url: string, init?: RequestInit) => {
    const body: unknown = init === undefined ? null : JSON.parse(String(init.body));
    if (init === undefined) return Promise.resolve(Response.json(offer()));
    asked.push({ method: init.method ?? "GET", body });
    if (JSON.stringify(body).includes('"host":"nobody"'))
      return Promise.resolve(Response.json({ error: "No simulated machine nobody." }, { status: 404 }));
    on = false;
    return Promise.resolve(Response.json({ words: "It is done." }));
  });
});

function Opener() {
  const open = useDemoMenu();
  return open === undefined ? <p>no menu</p> : <button onClick={open}>Demo menu</button>;
}

function open(demoDesk: boolean, path: string) {
  show(
    <DemoProvider>
      <Opener />
    </DemoProvider>,
    { me: { ...admin, demoDesk }, path },
  );
  return userEvent.setup();
}

it("is not there without a desk", () => {
  open(false, "/");
  expect(screen.getByText("no menu")).toBeVisible();
});

it("switches the living demo, and says what was done", async () => {
  const user = open(true, "/");
  await user.click(screen.getByRole("button", { name: "Demo menu" }));
  expect(await screen.findByText("No machine has come back.")).toBeVisible();
  await user.click(await screen.findByRole("button", { name: "Switch off" }));
  expect(await screen.findByText("It is done.")).toBeVisible();
  expect(asked).toEqual([{ method: "POST", body: { act: "switch", on: false } }]);
  await waitFor(() => expect(screen.getByRole("button", { name: "Switch on" })).toBeVisible());
  expect(screen.queryByText("No machine has come back.")).toBeNull();
});

it("orders a drill for the host of the page, and says why one was refused", async () => {
  const user = open(true, "/hosts/gpu-a-0001");
  await user.click(screen.getByRole("button", { name: "Demo menu" }));
  const host = await screen.findByLabelText("Host");
  expect(host).toHaveValue("gpu-a-0001");
  await user.click(screen.getByRole("button", { name: "Fail a drive" }));
  await screen.findByText("It is done.");
  expect(asked[0]?.body).toEqual({ act: "drill", drill: "failDrive", host: "gpu-a-0001" });
  await user.clear(host);
  expect(screen.getByRole("button", { name: "Fail a drive" })).toHaveAccessibleDescription(
    /^Enter the name of a host/,
  );
  await enter(user, host, "nobody");
  await user.click(screen.getByRole("button", { name: "Fail a drive" }));
  expect(await screen.findByText("No simulated machine nobody.")).toBeVisible();
});
