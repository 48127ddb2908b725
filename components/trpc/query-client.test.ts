// The cache: mutations without a network, and refused queries.
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

/** The shape of a refusal: with a status over the network, with a code when called in the process that renders a page. */
const refusals = {
  "over the network": { data: { httpStatus: 404 } },
  "in the process of the page": { code: "NOT_FOUND" },
};

for (const [where, refusal] of Object.entries(refusals))
  it(`a read that is refused ${where} is not asked again`, async () => {
    let asked = 0;
    const read = makeQueryClient().fetchQuery({
      queryKey: ["host"],
      queryFn: () => {
        asked += 1;
        return Promise.reject(Object.assign(new Error("not found"), refusal));
      },
    });
    await expect(read).rejects.toThrow("not found");
    expect(asked).toBe(1);
  }, 900);

it("a read that failed on the server is asked again", async () => {
  let asked = 0;
  const read = makeQueryClient().fetchQuery({
    queryKey: ["host"],
    retryDelay: 1,
    queryFn: () => {
      asked += 1;
      return asked < 3
        ? Promise.reject(Object.assign(new Error("no database"), { code: "SERVICE_UNAVAILABLE" }))
        : Promise.resolve("there");
    },
  });
  await expect(read).resolves.toBe("there");
});
