// @vitest-environment happy-dom
// A server that answers is reached, whatever the browser says of the network.
import { afterEach, expect, it, vi } from "vitest";
import { watchServer } from "@/components/trpc/watch-server";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function watch(answer: () => Promise<Response>, isOnline = true) {
  const told: boolean[] = [];
  vi.stubGlobal("fetch", answer);
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  const end = watchServer((canReach) => told.push(canReach));
  const go = (name: "online" | "offline") => {
    online.mockReturnValue(name === "online");
    dispatchEvent(new Event(name));
  };
  return { told, go, end };
}

it("without a network, a server on this machine is asked and reached", async () => {
  const { told, go, end } = watch(() => Promise.resolve(new Response("ok")));
  go("offline");
  expect(told).toEqual([false]);
  await vi.waitFor(() => expect(told).toEqual([false, true]));
  end();
  go("offline");
  expect(told).toHaveLength(2);
});

it("a page that opens without a network asks at once", async () => {
  const { told, end } = watch(() => Promise.resolve(new Response("ok")), false);
  await vi.waitFor(() => expect(told).toEqual([false, true]));
  end();
});

it("without a network, a server elsewhere is not, until the network is back", async () => {
  const { told, go, end } = watch(() => Promise.reject(new TypeError("Failed to fetch")));
  go("offline");
  await vi.waitFor(() => expect(told).toEqual([false, false]));
  go("online");
  expect(told).toEqual([false, false, true]);
  end();
});
