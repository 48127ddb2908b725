// What the pages' cache does with acts while there is no network.
import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { afterEach, expect, it } from "vitest";
import { makeQueryClient, problemOf } from "@/components/trpc/query-client";

afterEach(() => onlineManager.setOnline(true));

it("an act without a network fails at once, and is not done later", async () => {
  onlineManager.setOnline(false);
  let asked = 0;
  const act = new MutationObserver(makeQueryClient(), {
    mutationFn: () => {
      asked += 1;
      return Promise.reject(new TypeError("Failed to fetch"));
    },
  });
  const failure: unknown = await act.mutate().catch((error: unknown) => error);
  expect(problemOf(failure).words).toMatch(/did not answer/);
  onlineManager.setOnline(true);
  expect(asked).toBe(1);
}, 2_000);
