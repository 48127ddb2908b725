// The agent keeps polling while its tools run, whatever they do, and during every command that takes time.
import { expect, it } from "vitest";
import { Agent } from "@/agent/agent";
import type { Surroundings } from "@/agent/surroundings";
import { siteStep } from "@/agent/site-steps/site-step";
import type { StepFile } from "@/agent/site-steps/step-file";
import { bodyOf, execute, isCall, registered, restart, world } from "@/agent/testing/agent-world";
import { toolRunner } from "@/agent/tools/machine/program/run-tool";
import type { Command } from "@/server/domain/agents/protocol";

const polls = 4;
const nothingWanted = { status: 200, body: { command: { kind: "none" } } };

/** An agent with one command, whose work ends once the server has received enough polls. */
function listening(command: Command, endsWith: string) {
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const heard: unknown[] = [];
  const me = world((request) => {
    if (isCall(request, "/boot/token")) return { status: 200, body: { bootToken: "token-of-this-window-1" } };
    if (isCall(request, "/register")) return registered(command);
    if (isCall(request, endsWith)) return restart;
    if (!isCall(request, "/poll")) return nothingWanted;
    heard.push(bodyOf(request));
    if (heard.length === polls) end();
    return nothingWanted;
  });
  return { me, heard, over };
}

it.each<[string, Command, string]>([
  ["reads its inventory again", { kind: "discover", id: "d" }, "/discovery"],
  ["looks at its drives", { kind: "look", id: "l" }, "/drives"],
  [
    "reads the drives' content again",
    { kind: "validate", id: "v", tests: [], fingerprint: { secret: "s".repeat(32), samplesPerDevice: 1 } },
    "/validation",
  ],
])("polls while it %s, and a tool takes long", async (_what, command, endsWith) => {
  const { me, heard, over } = listening(command, endsWith);
  let lists = 0;
  const disks: Surroundings["tools"]["disks"] = {
    ...me.around.tools.disks,
    // The first list belongs to its registration.
    list: async () => {
      if ((lists += 1) > 1) await over;
      return { command: "list", exitCode: 0, status: "", value: [] };
    },
  };
  const end = await new Agent({ ...me.around, tools: { ...me.around.tools, disks } }).run();
  expect(end).toEqual({ kind: "restarting" });
  expect(heard.length).toBeGreaterThanOrEqual(polls);
  expect(heard[0]).toMatchObject({
    working: command.kind === "none" ? null : "id" in command ? command.id : "",
  });
});

const slow: StepFile = {
  interface: "vendor",
  step: "slow",
  summary: "Takes long.",
  priority: 0,
  abortable: true,
  timeLimitSeconds: 60,
  writesToDrives: false,
  args: [],
  command: ["/bin/sleep", "50"],
};

it("polls while a real program runs that says nothing, and ends it when it hears `abort`", async () => {
  const command = { ...execute("c1", 1, "slow"), interface: "vendor" } as Command;
  const { me, heard } = listening(command, "/never");
  const run = toolRunner(me.stop.signal);
  const results: unknown[] = [];
  const siteSteps = { managers: [], steps: [siteStep(slow, run)] };
  const http: Surroundings["http"] = async (request) => {
    if (isCall(request, "/result")) {
      results.push(bodyOf(request));
      return { status: 200, text: JSON.stringify(restart.body) };
    }
    const answer = await me.around.http(request);
    if (!isCall(request, "/poll") || heard.length < polls || command.kind !== "execute") return answer;
    const { stepRunId, attempt } = command;
    return {
      status: 200,
      text: JSON.stringify({ command: { kind: "abort", id: "a1", stepRunId, attempt } }),
    };
  };
  expect(await new Agent({ ...me.around, http, siteSteps }).run()).toEqual({ kind: "restarting" });
  expect(heard.length).toBeGreaterThanOrEqual(polls);
  expect(results).toEqual([
    expect.objectContaining({
      result: "ERROR",
      message: expect.stringContaining("aborted: /bin/sleep 50 answered 125"),
    }),
  ]);
});
