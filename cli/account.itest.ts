// Signing in and settings; prompts at a terminal; help; and the two commands of the clean-steps specification.
import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import { buildCommand } from "@/cli/testing/command";
import type { BuiltCommand, TestCommand } from "@/cli/testing/command";
import { atTerminal } from "@/cli/testing/terminal";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: TestCommand;
let built: BuiltCommand;
let stop: () => Promise<void>;
let token = "";
const { ok, failed, usage, forbidden, notFound, notNow, unreachable, interrupted } = exitCodes;
const freshHome = () => mkdtempSync(join(command.folder, "home-"));

beforeAll(async () => {
  [{ server, command, stop }, built] = await Promise.all([startAgainstServer(), buildCommand()]);
  token = await server.token("operator");
});
afterAll(() => {
  built.remove();
  return stop();
});

describe("login", () => {
  it("keeps a token from stdin for its owner alone; then nothing else is needed", async () => {
    const home = freshHome();
    const path = join(home, ".config", "reclaim", "config.json");
    const signedIn = await built.run(["login", "--url", server.url], {
      stdin: `${token}\n`,
      env: { HOME: home },
    });
    expect(signedIn).toMatchObject({
      code: ok.code,
      stdout: "",
      stderr: expect.stringContaining("operator of acme (operator)"),
    });
    expect(signedIn.stderr).not.toContain(token);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ url: server.url, token });
    expect((await built.run(["whoami"], { env: { HOME: home } })).stdout).toMatch(/^role +operator$/m);
    const shown = await command.run(["config", "show"], { env: { HOME: home } });
    expect(shown.stdout).toContain(`${server.url} (${path})`);
    expect(shown.stdout).not.toContain(token);
    expect((await command.run(["config", "set", "output", "json"], { env: { HOME: home } })).code).toBe(
      ok.code,
    );
    expect(JSON.parse((await command.run(["whoami"], { env: { HOME: home } })).stdout)).toMatchObject({
      role: "operator",
    });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ url: server.url, token, output: "json" });
  });
  it.each([
    ["a wrong token", "rcl_wrong_wrong_wrong_wrong_wrong", forbidden.code],
    ["nothing", "", usage.code],
    ["two lines", "a\nb", usage.code],
  ])("with %s keeps nothing", async (_words, stdin, code) => {
    const home = freshHome();
    expect((await command.run(["login", "--url", server.url], { stdin, env: { HOME: home } })).code).toBe(
      code,
    );
    expect(existsSync(join(home, ".config"))).toBe(false);
  });
  it("asks at a terminal, and does not show what is typed", async () => {
    const home = freshHome();
    const { code, stdout, stderr } = await atTerminal(["login", "--url", server.url], {
      env: {},
      home,
      types: token,
    });
    expect(code).toBe(ok.code);
    expect(stderr).toContain(`API token for ${server.url}: `);
    expect(stdout + stderr).not.toContain(token);
    expect(
      (await atTerminal(["login", "--url", server.url], { env: {}, home: freshHome(), types: null })).code,
    ).toBe(interrupted.code);
  });
  it.each([
    ["url", "nonsense"],
    ["output", "xml"],
    ["utc", "maybe"],
    ["colour", "red"],
    ["token", ""],
    ["token", "a b"],
  ])("config set %s %j is refused", async (name, value) =>
    expect((await command.run(["config", "set", name, value], { env: { HOME: freshHome() } })).code).toBe(
      usage.code,
    ),
  );
  it("config set token - reads it from stdin", async () => {
    const home = freshHome();
    expect(
      (await command.run(["config", "set", "token", "-"], { stdin: "abc\n", env: { HOME: home } })).code,
    ).toBe(ok.code);
    expect(
      readFileSync((await command.run(["config", "path"], { env: { HOME: home } })).stdout.trim(), "utf8"),
    ).toContain('"abc"');
  });
});

describe("at a terminal", () => {
  const env = () => ({ RECLAIM_URL: server.url, RECLAIM_TOKEN: token });
  const signals = (hostId: string) => server.world.backend.database.signal.count({ where: { hostId } });
  it.each([
    ["y", ok.code, 1],
    ["YES", ok.code, 1],
    ["n", failed.code, 0],
    ["", failed.code, 0],
    ["yesterday", failed.code, 0],
    [null, interrupted.code, 0],
  ])("what cannot be taken back is asked for; %j ends with %d", async (types, code, count) => {
    const name = `tty-${String(types)}`;
    const hostId = await server.world.host(name);
    await server.world.put(hostId, "Ready");
    const ended = await atTerminal(["hosts", "manage", name], { env: env(), home: command.home, types });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(new RegExp(`leaves allocation[^]*Manage: ${name}\\? \\[y/N\\]`));
    expect(ended.stdout).toBe("");
    expect(await signals(hostId)).toBe(count);
  });
  it("what a cleaning will do is said first", async () => {
    const hostId = await server.world.host("tty-clean");
    await server.world.put(hostId, "Manageable");
    const { code, stderr } = await atTerminal(
      ["clean", "tty-clean", "--clean-steps", '[{"interface":"power","step":"reboot"}]'],
      { env: env(), home: command.home, types: "y" },
    );
    expect(code).toBe(ok.code);
    expect(stderr).toMatch(/tty-clean: power\.reboot; about .*, 1 restart\./);
    expect(await signals(hostId)).toBe(1);
  });
  it("tables have colour and its width, and no colour with NO_COLOR", async () => {
    const hostId = await server.world.host("tty-failed");
    await server.world.put(hostId, "Failed/NVMECleanFailed");
    await server.world.backend.database.hostRun.update({
      where: { hostId },
      data: {
        lastError: "the drive refused the command, and went on refusing it for as long as anybody asked",
      },
    });
    const { stdout } = await atTerminal(["hosts", "list", "state:Failed"], {
      env: env(),
      home: command.home,
      columns: 90,
    });
    expect(stdout).toContain("\u001b[31m");
    expect(
      Math.max(
        ...stdout
          .replace(/\u001b\[\d+m/g, "")
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(90);
    expect(
      (await atTerminal(["hosts", "list"], { env: { ...env(), NO_COLOR: "1" }, home: command.home })).stdout,
    ).not.toContain("\u001b");
  });
});

describe("help", () => {
  it.each([
    [["--version"]],
    [["--help"]],
    [["help"]],
    [["help", "hosts", "list"]],
    [["hosts", "list", "--help"]],
    [["help", "exit-codes"]],
    [["completion", "bash"]],
    [["completion", "zsh"]],
    [["completion", "fish"]],
  ])("%j is 0, on stdout, and needs no server", async (args) => {
    const { code, stdout, stderr } = await command.run(args);
    expect([code, stderr]).toEqual([ok.code, ""]);
    expect(stdout).not.toBe("");
  });
  it("is there in the file that is built, which ends as the function says", async () => {
    for (const args of [["--version"], ["help"], ["completion", "bash"], ["hosts", "list", "--colour"], []])
      expect({ args, ...(await built.run(args)) }).toEqual({ args, ...(await command.run(args)) });
  });
  it("has an entry for every exit code", async () => {
    const { stdout } = await command.run(["help", "exit-codes"]);
    for (const { code, words } of Object.values(exitCodes)) expect(stdout).toContain(`${code}  ${words}`);
  });
  it("has examples of what it takes", async () =>
    expect((await command.run(["help", "clean"])).stdout).toContain("--clean-steps"));
  it.each([
    [[]],
    [["hosts"]],
    [["nothing"]],
    [["hosts", "lst"]],
    [["hosts", "list", "--colour"]],
    [["hosts", "show"]],
    [["hosts", "show", "a", "b"]],
    [["hosts", "list", "-o", "xml"]],
    [["hosts", "list", "--limit", "0"]],
    [["help", "nothing"]],
    [["completion", "tcsh"]],
    [["steps", "x", "--min-priority", "-1"]],
    [["watch", "x", "--until", "done"]],
  ])("%j is a mistake in the command line: 2, on stderr", async (args) => {
    const { code, stdout, stderr } = await command.run(args, { token: "rcl_x", url: server.url });
    expect([code, stdout]).toEqual([usage.code, ""]);
    expect(stderr).not.toBe("");
  });
  it("guesses what was meant", async () =>
    expect((await command.run(["hosts", "lst"])).stderr).toContain("Did you mean one of list, ls?"));
});

describe("node, over /v1", () => {
  interface Asked {
    readonly method: string | undefined;
    readonly url: string | undefined;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }
  const steps = [
    { interface: "deploy", step: "erase_nvme", priority: 90, abortable: false, args: [] },
    {
      interface: "power",
      step: "wait",
      priority: 0,
      abortable: true,
      args: [{ name: "seconds", description: "how long", required: true }],
    },
  ];
  const answers: Record<string, readonly [number, unknown, Record<string, string>?]> = {
    "GET /v1/nodes/known/cleaning/steps": [200, steps],
    "GET /v1/nodes/known/cleaning/steps?min_priority=1": [200, steps.slice(0, 1)],
    "GET /v1/nodes/new/cleaning/steps": [
      202,
      { message: "No agent of node new has reported its clean steps." },
      { "retry-request-after": "90" },
    ],
    "GET /v1/nodes/fresh/cleaning/steps": [
      202,
      { message: "Nothing is known of node fresh." },
      { "retry-request-after": "-1" },
    ],
    "GET /v1/nodes/odd/cleaning/steps": [200, { odd: true }],
    "PUT /v1/nodes/known/states/provision": [202, ""],
    "PUT /v1/nodes/busy/states/provision": [
      409,
      {
        error_message: JSON.stringify({
          faultcode: "Client",
          faultstring: "Node busy is locked.",
          debuginfo: null,
        }),
      },
    ],
    "PUT /v1/nodes/wrong/states/provision": [
      400,
      {
        error_message: JSON.stringify({
          faultcode: "Client",
          faultstring: 'The requested action "provide" can not be performed.',
          debuginfo: null,
        }),
      },
    ],
  };
  const asked: Asked[] = [];
  let ironic: Server;
  let url = "";
  beforeAll(async () => {
    ironic = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push({ method: request.method, url: request.url, headers: request.headers, body });
        const [status, answer, headers = {}] = answers[`${request.method} ${request.url}`] ?? [
          404,
          { error_message: JSON.stringify({ faultstring: "Node could not be found." }) },
        ];
        response
          .writeHead(status, { "content-type": "application/json", ...headers })
          .end(typeof answer === "string" ? answer : JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => ironic.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(ironic.address() as AddressInfo).port}`;
  });
  afterAll(() => void ironic.close());
  const node = (...args: string[]) => command.run(["node", ...args], { url, token });

  it("get-clean-steps lists them, from a priority", async () => {
    expect(JSON.parse((await node("get-clean-steps", "known", "-o", "json")).stdout)).toEqual(steps);
    expect((await node("get-clean-steps", "known", "--min-priority", "1")).stdout).toBe(
      "PRIORITY  INTERFACE  STEP        ABORTABLE  ARGS\n90        deploy     erase_nvme  no\n",
    );
    expect(asked.at(-1)?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      "x-openstack-ironic-api-version": "latest",
    });
  });
  it("get-clean-steps says the server's message and when to ask again, where nothing is known", async () => {
    expect(await node("get-clean-steps", "new")).toEqual({
      code: notNow.code,
      stdout: "",
      stderr: "No agent of node new has reported its clean steps.\nRetry in 1 min.\n",
    });
    expect((await node("get-clean-steps", "fresh")).stderr).toMatch(
      /^Nothing is known of node fresh\.\nThe server does not know when/,
    );
  });
  it("get-clean-steps of an unknown node, a wrong priority, or an odd answer fails", async () => {
    expect(await node("get-clean-steps", "none")).toMatchObject({
      code: notFound.code,
      stderr: "Node could not be found.\n",
    });
    expect((await node("get-clean-steps", "known", "--min-priority", "high")).code).toBe(usage.code);
    expect((await node("get-clean-steps", "odd")).code).toBe(unreachable.code);
    expect((await node("get-clean-steps", "../x?y")).code).toBe(notFound.code);
    expect(asked.at(-1)?.url).toBe("/v1/nodes/..%2Fx%3Fy/cleaning/steps");
  });
  it("set-provision-state sends the verb, with clean its steps", async () => {
    expect((await node("set-provision-state", "known", "manage")).code).toBe(ok.code);
    expect(JSON.parse(asked.at(-1)?.body ?? "")).toEqual({ target: "manage" });
    const list = [{ interface: "deploy", step: "erase_nvme" }];
    expect(
      (await node("set-provision-state", "known", "clean", "--clean-steps", JSON.stringify(list))).code,
    ).toBe(ok.code);
    expect(JSON.parse(asked.at(-1)?.body ?? "")).toEqual({ target: "clean", clean_steps: list });
    expect(
      (
        await command.run(["node", "set-provision-state", "known", "clean", "--clean-steps", "-"], {
          url,
          token,
          stdin: JSON.stringify(list),
        })
      ).code,
    ).toBe(ok.code);
    expect(JSON.parse(asked.at(-1)?.body ?? "")).toEqual({ target: "clean", clean_steps: list });
  });
  it("set-provision-state needs steps for clean, and takes them for nothing else; nothing is sent", async () => {
    const before = asked.length;
    for (const args of [
      ["clean"],
      ["manage", "--clean-steps", "[]"],
      ["abort", "--clean-steps", '[{"interface":"a","step":"b"}]'],
      ["clean", "--clean-steps", "[{"],
    ])
      expect((await node("set-provision-state", "known", ...args)).code).toBe(usage.code);
    expect(asked).toHaveLength(before);
  });
  it("set-provision-state gives Ironic's own words", async () => {
    expect(await node("set-provision-state", "busy", "provide")).toEqual({
      code: notNow.code,
      stdout: "",
      stderr: "Node busy is locked.\n",
    });
    expect(await node("set-provision-state", "wrong", "provide")).toMatchObject({
      code: failed.code,
      stderr: expect.stringContaining("can not be performed"),
    });
  });
});
