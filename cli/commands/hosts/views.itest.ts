// `reclaim hosts views` against a real server: the user's own views, and the values that a filter accepts.
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand, Ended } from "@/cli/testing/command";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
const { ok, forbidden, notFound } = exitCodes;

const as = async (role: Role, ...args: string[]): Promise<Ended> =>
  command.run(["hosts", ...args], { url: server.url, token: await server.token(role) });

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
});
afterAll(() => stop());

it("a view is saved, listed to who saved it alone, and deleted", async () => {
  expect(await as("operator", "save-view", "Failed here", "state:Failed", "site:a")).toMatchObject({
    code: ok.code,
  });
  expect((await as("operator", "views")).stdout).toMatch(/Failed here +state:Failed site:a/);
  expect((await as("auditor", "views")).stdout).not.toContain("Failed here");
  expect(await as("auditor", "delete-view", "Failed here")).toMatchObject({ code: notFound.code });
  expect(await as("operator", "delete-view", "Failed here")).toMatchObject({ code: ok.code });
  expect((await as("operator", "views", "-o", "json")).stdout).toBe("[]\n");
});

it("who sees no hosts has no views", async () =>
  expect(await as("tenant-admin", "save-view", "Mine", "site:a")).toMatchObject({ code: forbidden.code }));

it("the names that a filter may have are listed with their keys", async () =>
  expect((await as("operator", "filter-values")).stdout).toMatch(/tenant: +acme/));
