// The agent and its server: retries, one result however often it is requested, and what ends the program. Hardware is the minimum that can register.
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent/agent";
import {
  bodyOf,
  done,
  execute,
  isCall,
  none,
  registered,
  restart,
  stepRunId,
  world,
} from "@/agent/testing/agent-world";

describe("the agent", () => {
  it("registers with the token of its boot window, and needs no poll when answers carry the next command", async () => {
    const { around, requests } = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      return isCall(request, "/register") ? registered(execute("c1")) : restart;
    });
    expect(await new Agent(around).run()).toEqual({ kind: "restarting" });
    expect(requests.map(({ path }) => path)).toEqual([
      "/boot/token?uuid=7e57ab1e-0000-4000-8000-000000000002&mac=02%3A00%3A00%3A00%3A00%3A01",
      "/agent/v1/register",
      `/agent/v1/step-runs/${stepRunId}/result`,
    ]);
    expect(requests.map(({ token }) => token)).toEqual([
      null,
      "token-of-this-window-1",
      "session-of-this-boot-123",
    ]);
    expect(bodyOf(requests[1])).toMatchObject({
      protocol: 1,
      hardwareManagers: [
        {
          name: "reclaim",
          steps: expect.arrayContaining([
            { interface: "deploy", step: "erase_nvme", priority: 90, abortable: false },
          ]),
        },
      ],
    });
  });

  it("asks for its token by each of its MAC addresses until one is known, and by no other once it was refused", async () => {
    const macs = ["02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03"];
    const asked = async (known: string, status: number) => {
      const { around, requests } = world((request) => {
        if (isCall(request, "/boot/token"))
          return request.path.endsWith(encodeURIComponent(known))
            ? { status, body: { bootToken: "token-of-this-window-1" } }
            : { status: 404 };
        return isCall(request, "/register") ? registered(execute("c1")) : restart;
      }, macs);
      const end = await new Agent(around).run();
      return [end.kind, requests.filter((request) => isCall(request, "/boot/token")).length];
    };
    expect(await asked("02:00:00:00:00:03", 200)).toEqual(["restarting", 3]);
    expect(await asked("02:00:00:00:00:02", 409)).toEqual(["refused", 2]);
    expect(await asked("02:00:00:00:00:09", 200)).toEqual(["refused", 3]);
  });

  it("repeats a result until it is taken, with growing pauses, and does not run the step again", async () => {
    const me = world((request, count) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      if (isCall(request, "/register")) return registered(execute("c1"));
      return count === 1
        ? new Error("connection refused")
        : count === 2
          ? { status: 503 }
          : count === 3
            ? { status: 200, body: "nonsense" }
            : restart;
    });
    expect(await new Agent(me.around).run()).toEqual({ kind: "restarting" });
    expect([me.writes, me.requests.filter((request) => isCall(request, "/result")).length]).toEqual([2, 4]);
    const pauses = me.slept.filter((ms) => ms < 1_000);
    expect(pauses.map(Math.round)).toEqual([128, 257, 514]);
  });

  it("sends the result that it has when asked to do the same again; another attempt is another run", async () => {
    const commands = [execute("c1"), execute("c2", 2)];
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      if (isCall(request, "/register")) return registered(execute("c1"));
      const next = commands.shift();
      return next ? { status: 200, body: { command: next } } : restart;
    });
    const logged: string[] = [];
    await new Agent({ ...me.around, log: (_level, message) => logged.push(message) }).run();
    // Two runs, three results: a result that is sent again is not logged again.
    expect(logged.filter((line) => line.startsWith("verify_mem_overwrite: "))).toHaveLength(2);
    const results = me.requests.filter((request) => isCall(request, "/result")).map(({ body }) => body);
    expect(results).toHaveLength(3);
    expect(results[1]).toBe(results[0]);
    expect(me.writes).toBe(4);
  });

  it("tells in its poll what is finished", async () => {
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      if (isCall(request, "/register")) return registered(execute("c1"));
      return isCall(request, "/poll") ? restart : { status: 200, body: { command: { kind: "none" } } };
    });
    await new Agent(me.around).run();
    expect(bodyOf(me.requests.find((request) => isCall(request, "/poll")))).toEqual({
      working: null,
      finished: ["c1"],
    });
  });

  it("goes on after a result that was refused for good", async () => {
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      if (isCall(request, "/register")) return registered(execute("c1"));
      return isCall(request, "/result") ? { status: 409 } : restart;
    });
    expect(await new Agent(me.around).run()).toEqual({ kind: "restarting" });
    expect(me.requests.filter((request) => isCall(request, "/result"))).toHaveLength(1);
  });

  it.each([
    ["without a boot window", "/boot/token", 404],
    ["when its registration is refused", "/register", 409],
  ])("ends %s", async (_when, name, status) => {
    const me = world((request) =>
      isCall(request, name) ? { status } : { status: 200, body: { bootToken: "token-of-this-window-1" } },
    );
    expect(await new Agent(me.around).run()).toMatchObject({ kind: "refused" });
  });

  it("ends when its session is over: only a new boot gives another", async () => {
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      return isCall(request, "/register") ? registered({ kind: "none" }) : { status: 401 };
    });
    expect(await new Agent(me.around).run()).toMatchObject({ kind: "refused" });
    expect(me.requests.filter((request) => isCall(request, "/register"))).toHaveLength(1);
  });

  it("stops at once when told to, in the middle of trying", async () => {
    const me = world((request, count) => {
      if (isCall(request, "/boot/token") && count === 5) me.stop.abort();
      return new Error("unreachable");
    });
    expect(await new Agent(me.around).run()).toEqual({ kind: "stopped" });
  });

  it("waits for an inventory that it can read", async () => {
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      return registered({ kind: "restart", id: "end" });
    });
    let tries = 0;
    const nvme = {
      ...me.around.tools.nvme,
      list: () => ((tries += 1) < 3 ? none<readonly string[]>() : done<readonly string[]>([])),
    };
    expect(await new Agent({ ...me.around, tools: { ...me.around.tools, nvme } }).run()).toEqual({
      kind: "restarting",
    });
    expect([tries, me.slept]).toEqual([3, [10_000, 10_000]]);
  });
});
