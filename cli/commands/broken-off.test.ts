// Acts on several things: results so far are printed even if an error ends the act early; and a filter given as a name is recognized.
import { PassThrough } from "node:stream";
import superjson from "superjson";
import { describe, expect, it } from "vitest";
import { createClient, toCommandError } from "@/cli/client";
import { actOnHosts } from "@/cli/commands/acts";
import { releaseAll, type Release } from "@/cli/commands/instances/releases";
import { readTargets } from "@/cli/commands/targets";
import { CommandError } from "@/cli/exit-codes";
import { readHosts } from "@/cli/find";
import { Printer } from "@/cli/output/printer";
import type { Settings } from "@/cli/settings/settings";
import type { Shell } from "@/cli/shell";
import { loadEnvironmentConfig, type Surroundings } from "@/cli/surroundings";
import type { HostDetail, InstanceRow } from "@/server/surfaces/trpc/types";

const settings: Settings = {
  file: "",
  url: "http://reclaim.test",
  urlFrom: "",
  token: "t",
  tokenFrom: "",
  output: "table",
  columns: null,
  utc: true,
  yes: true,
};

/** @param answer called with the number of the request; throws to act as a server that does not answer */
function shellOf(answer: (asked: number, input: Record<string, unknown>) => unknown) {
  let [asked, stdout] = [0, ""];
  const out = new PassThrough().on("data", (piece: Buffer) => (stdout += piece.toString("utf8")));
  const surroundings: Surroundings = {
    args: [],
    environment: loadEnvironmentConfig({}),
    home: "/",
    stdin: new PassThrough(),
    stdout: out,
    stderr: new PassThrough(),
    now: () => new Date(0),
    interrupted: new AbortController().signal,
  };
  const ask: Shell["ask"] = async (_path, init) => {
    const input: Record<string, unknown> = superjson.parse(String(init?.body));
    return Response.json({ result: { data: superjson.serialize(answer(asked++, input)) } });
  };
  const shell: Shell = {
    surroundings,
    settings,
    ask,
    client: createClient(ask),
    printer: new Printer(settings, surroundings),
  };
  return { shell, stdout: () => stdout, asked: () => asked };
}

const gone = () => new CommandError("unreachable", "http://reclaim.test does not answer: it broke.");

const ended = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("a release of more than one request takes", () => {
  const instance = (number: number): InstanceRow => ({
    id: `id-${number}`,
    name: `train-${number}`,
    description: null,
    labels: {},
    vpcId: null,
    status: "Ready",
    tone: "neutral",
    tenantId: "t",
    tenantOrg: "acme",
    tenantName: "Acme",
    createdAt: new Date(0),
    readyAt: null,
    releaseRequestedAt: null,
    endedAt: null,
    notices: [],
    hostWords: null,
    message: null,
    site: null,
    sku: null,
    host: null,
    reclamation: null,
    erasedAt: null,
    verifiedAt: null,
    onlineRepair: { active: null, allowed: true, reason: null },
    edit: { allowed: true, reason: null },
    release: { allowed: true, reason: null },
  });
  const releases: readonly Release[] = Array.from({ length: 250 }, (_, index) => ({
    instance: instance(index),
    host: null,
  }));
  const release = (shell: Shell) =>
    ended(
      releaseAll(
        shell,
        { releases, filtered: null, isList: true, confirmed: new Set(releases) },
        { wait: null, send: null },
      ),
    );

  it("prints what became of the first where the second fails, and ends with its error", async () => {
    const { shell, stdout } = shellOf((asked, { ids }) => {
      if (asked > 0) throw gone();
      return (Array.isArray(ids) ? ids : []).map((id: unknown) => ({ id, ok: true, message: "accepted" }));
    });
    expect(await release(shell)).toMatchObject({
      exit: "unreachable",
      message:
        "http://reclaim.test does not answer: it broke.\n50 instances of 250 have no result, but may have been released. It is safe to retry.",
    });
    expect(stdout().match(/^train-\d+ +accepted/gm)).toHaveLength(200);
    expect(stdout()).not.toContain("train-200");
  });

  it("says nothing but the error where the first fails", async () => {
    const { shell, stdout } = shellOf(() => {
      throw gone();
    });
    expect(toCommandError(await release(shell))).toMatchObject({
      exit: "unreachable",
      message: gone().message,
    });
    expect(stdout()).toBe("");
  });
});

describe("an act on several hosts", () => {
  const host = (name: string): HostDetail =>
    Object.assign(Object.create(null), {
      id: name,
      name,
      stateVersion: "1",
      actions: [],
      cleaningActions: [],
    });
  const hosts = ["a", "b", "c", "d"].map(host);
  const act = (shell: Shell, last: string) =>
    ended(
      actOnHosts(
        shell,
        { hosts, filter: null, dryRun: false },
        {
          intent: "provide",
          perform: async (_seen, { name }) => {
            if (name === "b") throw new CommandError("notNow", "Not now.");
            if (name >= last) throw gone();
          },
        },
      ),
    );

  it("prints what became of those before the one at which the server was gone", async () => {
    const { shell, stdout } = shellOf(() => null);
    expect(await act(shell, "c")).toMatchObject({
      exit: "unreachable",
      message: `${gone().message}\nc has no result: check it before you retry. 1 host after it was not requested.`,
    });
    expect(stdout()).toMatch(/^a +accepted\s*\nb +refused +Not now\./m);
    expect(stdout()).not.toMatch(/^[cd] /m);
  });

  it("says nothing but the error where the first one is it", async () => {
    const { shell, stdout } = shellOf(() => null);
    expect(await act(shell, "a")).toMatchObject({ message: gone().message });
    expect(stdout()).toBe("");
  });
});

describe("a filter in the place of a name", () => {
  it.each([
    [["state:Failed"], "state:Failed is a filter, not a host name.", "--filter 'state:Failed'"],
    [["rack", "is:ready"], "is:ready is a filter, not a host name.", "--filter 'rack is:ready'"],
  ])("%j is told apart before anything is asked", async (names, message, advice) => {
    const { shell, asked } = shellOf(() => null);
    expect(await ended(readTargets(shell, names, {}))).toMatchObject({
      exit: "usage",
      message,
      advice: expect.stringContaining(advice),
    });
    expect(asked()).toBe(0);
  });
});

it("a list is read to its last page, or to the number that was asked for", async () => {
  const read = async (limit: number | null) => {
    const asked: unknown[] = [];
    const { shell } = shellOf((page, input) => {
      asked.push(input["cursor"]);
      return {
        rows: [{ hostId: `${page}` }],
        total: page === 0 ? 3 : null,
        nextCursor: page < 2 ? `after ${page}` : null,
        problem: null,
      };
    });
    const query = { filter: "", sort: "name", descending: false, limit } as const;
    const { rows, total } = await readHosts(shell.client, query);
    return { hosts: rows.map(({ hostId }) => hostId), total, asked };
  };
  expect(await read(null)).toEqual({ hosts: ["0", "1", "2"], total: 3, asked: [null, "after 0", "after 1"] });
  expect((await read(2)).hosts).toEqual(["0", "1"]);
});
