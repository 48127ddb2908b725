// A BMC's restart at a person's request: what is sent, once, and what each look shows.
import { describe, expect, it } from "vitest";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { bmcForEachTest, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { message, send, type TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;
const { make } = bmcForEachTest("lenovo", (started) => (bmc = started));
const manager = "/redfish/v1/Managers/1";
const resetPath = `${manager}/Actions/Manager.Reset`;

interface Sent {
  readonly type: string;
  readonly before: unknown;
}

async function ready() {
  const { client } = make({ limits: { retryWaitsMs: [] } });
  const reset = typeOf(client, "redfish").bmcReset;
  if (reset === undefined) throw new Error("it restarts no BMC");
  const found = await discoveredTarget(bmc, client);
  const { SerialNumber: serial, UUID: systemUuid } = bmc.contentOf(bmc.systemPath);
  const target: BmcTarget = {
    ...found,
    identity: { serial: String(serial), systemUuid: String(systemUuid) },
  };
  const recorded: Sent[] = [];
  const begin = (permitted = true) =>
    reset.begin(
      target,
      (sent) => {
        // Before anything is sent.
        expect(posts()).toEqual([]);
        recorded.push(sent);
        return Promise.resolve(permitted);
      },
      within,
    );
  return { reset, target, recorded, begin };
}

const posts = () =>
  bmc.received.filter(({ method, path }) => method === "POST" && path === resetPath).map(({ body }) => body);
/** What the action answers; other requests get the tree's answers. */
const answers = (status: number) => {
  bmc.fault = ({ method, path }, response) => {
    if (method !== "POST" || path !== resetPath) return false;
    send(response, status, status < 300 ? "" : message("Base.1.8.GeneralError", "no"));
    return true;
  };
};
const silence = (after = 0) => {
  bmc.fault = (_request, response) => {
    if (after > 0) return false;
    response.destroy();
    return true;
  };
};
function offers(types: readonly string[]): void {
  const shown = bmc.contentOf(manager);
  const actions = shown["Actions"] as Record<string, unknown>;
  const action = { target: resetPath, "ResetType@Redfish.AllowableValues": types };
  bmc.replaced.set(manager, { ...shown, Actions: { ...actions, "#Manager.Reset": action } });
}

describe("a restart", () => {
  it.each([
    [["ForceRestart", "GracefulRestart"], "GracefulRestart"],
    [["ForceOff", "ForceRestart"], "ForceRestart"],
    [[], "GracefulRestart"],
  ])("of a BMC that takes %j is asked for once, as %s, after it was noted", async (types, type) => {
    offers(types);
    const { begin, recorded } = await ready();
    answers(204);
    expect(await begin()).toEqual({ ok: true, value: null });
    expect(recorded).toMatchObject([{ type, before: { wasAway: false } }]);
    expect(posts()).toEqual([JSON.stringify({ ResetType: type })]);
  });

  it("is not sent if it may not be, or if the BMC takes no kind that restarts it", async () => {
    const { begin } = await ready();
    answers(204);
    expect(await begin(false)).toMatchObject({
      ok: false,
      error: { kind: "refused", unknownOutcome: false },
    });
    offers(["ForceOff", "ResetAll"]);
    expect(await begin()).toMatchObject({
      ok: false,
      error: { kind: "unsupported", message: expect.stringContaining("only ForceOff, ResetAll") },
    });
    expect(posts()).toEqual([]);
  });

  it("whose answer is lost is not sent again, and its outcome is unknown", async () => {
    const { begin, recorded } = await ready();
    bmc.fault = ({ method, path }, response) => {
      if (method !== "POST" || path !== resetPath) return false;
      response.destroy();
      return true;
    };
    expect(await begin()).toMatchObject({ ok: false, error: { kind: "unreachable", unknownOutcome: true } });
    expect(recorded).toHaveLength(1);
    expect(posts()).toHaveLength(1);
  });
});

describe("a look", () => {
  it("shows nothing, then silence, then that it is back as the same machine", async () => {
    const { reset, target, begin, recorded } = await ready();
    answers(204);
    await begin();
    let before = recorded[0]?.before as Parameters<typeof reset.look>[1];
    const look = async () => {
      const looked = await reset.look(target, before, within);
      if (!looked.ok) throw new Error(looked.error.message);
      before = looked.value.before;
      return looked.value.look;
    };
    expect(await look()).toMatchObject({ kind: "same" });
    silence();
    expect(await look()).toMatchObject({ kind: "silent" });
    bmc.fault = (_request, response) => {
      send(response, 503);
      return true;
    };
    expect(await look()).toMatchObject({ kind: "silent", words: expect.stringContaining("503") });
    bmc.fault = null;
    expect(await look()).toMatchObject({
      kind: "restarted",
      words: expect.stringMatching(/^The BMC .*, as the same machine$/),
    });
    const other = {
      ...target,
      identity: { serial: "OTHER-1", systemUuid: "00000000-0000-4000-8000-0000000000ff" },
    };
    expect(await reset.look(other, before, within)).toMatchObject({
      value: { look: { kind: "changed", words: expect.stringContaining("reports another machine") } },
    });
  });

  const untold = () => {
    const { LastResetTime: _, ...shown } = bmc.contentOf(manager);
    bmc.replaced.set(manager, shown);
  };
  const answersAll = (status: number) => {
    bmc.fault = (_request, response) => {
      send(response, status, message("Base.1.8.GeneralError", "no"));
      return true;
    };
  };

  it("takes a session that is gone for no restart: another process of ours may have ended it", async () => {
    untold();
    const { reset, target, begin, recorded } = await ready();
    answers(204);
    await begin();
    bmc.sessions.clear();
    const before = recorded[0]?.before as Parameters<typeof reset.look>[1];
    expect(await reset.look(target, before, within)).toEqual({
      ok: true,
      value: { look: { kind: "same", restartTime: "untold" }, before },
    });
  });

  it("tells the same restart time as before, though the BMC was away", async () => {
    const { reset, target } = await ready();
    bmc.replaced.set(manager, { ...bmc.contentOf(manager), LastResetTime: "2026-12-01T00:00:00Z" });
    const before = { lastReset: "2026-12-01T00:00:00Z", session: null, wasAway: true };
    expect(await reset.look(target, before, within)).toMatchObject({
      value: { look: { kind: "same", restartTime: "unmoved" } },
    });
  });

  it("tells a restart time that it did not tell before", async () => {
    const { reset, target } = await ready();
    bmc.replaced.set(manager, { ...bmc.contentOf(manager), LastResetTime: "2026-12-01T00:00:00Z" });
    const before = { lastReset: null, session: null, wasAway: false };
    expect(await reset.look(target, before, within)).toMatchObject({
      value: { look: { kind: "same", restartTime: "untoldBefore" } },
    });
  });

  it("that could not be sent in its time is no silence", async () => {
    const { reset, target } = await ready();
    bmc.sessions.clear();
    const before = { lastReset: null, session: null, wasAway: false };
    expect(await reset.look(target, before, { timeoutMs: 0 })).toEqual({
      ok: true,
      value: {
        look: {
          ...{ kind: "unclear", refused: false, heard: false, todo: "Test the BMC." },
          words: expect.stringMatching(/^Reclaim could not look at the BMC: .*time limit/),
        },
        before,
      },
    });
  });

  it("at a BMC that has no session left is no silence", async () => {
    const { reset, target } = await ready();
    bmc.fault = (_request, response) => {
      send(response, 503, message("Base.1.19.SessionLimitExceeded", "no"));
      return true;
    };
    const before = { lastReset: null, session: null, wasAway: false };
    expect(await reset.look(target, before, within)).toMatchObject({
      value: { look: { kind: "unclear", heard: true }, before },
    });
  });

  it("that lost its system after it showed a restart is no silence", async () => {
    const { reset, target } = await ready();
    untold();
    bmc.fault = ({ path }, response) => {
      if (path !== bmc.systemPath) return false;
      response.destroy();
      return true;
    };
    const before = { lastReset: null, session: null, wasAway: true };
    expect(await reset.look(target, before, within)).toMatchObject({
      value: {
        look: { kind: "unclear", heard: true, words: expect.stringMatching(/^The BMC restarted, but GET/) },
      },
    });
  });

  it.each([
    [false, 500, false, /^The BMC answers, but GET .* was answered 500/],
    [true, 500, false, /^The BMC was away and answers again, but GET .* was answered 500/],
    [true, 404, false, /^The BMC was away and answers again, but .* 404/],
    [false, 403, true, /^The BMC answers, but .* 403/],
  ])(
    "at a BMC that was away: %s, and answers %i, is no silence and no end",
    async (wasAway, status, refused, words) => {
      const { reset, target } = await ready();
      answersAll(status);
      const before = { lastReset: null, session: null, wasAway };
      expect(await reset.look(target, before, within)).toMatchObject({
        ok: true,
        value: { look: { kind: "unclear", refused, words: expect.stringMatching(words) }, before },
      });
    },
  );

  it("at a BMC that has restarted and not read its system's names yet waits for them", async () => {
    const { reset, target } = await ready();
    untold();
    bmc.replaced.set(bmc.systemPath, { ...bmc.contentOf(bmc.systemPath), SerialNumber: "", UUID: null });
    const before = { lastReset: null, session: null, wasAway: true };
    expect(await reset.look(target, before, within)).toMatchObject({
      value: {
        look: { kind: "unclear", words: expect.stringMatching(/^The BMC restarted, but .*\(none\)/) },
      },
    });
  });

  it("at a BMC that lets us in no more says so, and tries the credential again when it is told to", async () => {
    const { reset, target } = await ready();
    const right = bmc.password;
    bmc.password = "another-1";
    bmc.sessions.clear();
    const before = { lastReset: null, session: null, wasAway: true };
    const look = () => reset.look(target, before, { ...within, background: true, retryCredential: true });
    const signIns = () => bmc.received.filter(({ path }) => path.endsWith("/Sessions")).length;
    expect(await look()).toMatchObject({
      ok: true,
      value: {
        look: {
          kind: "unclear",
          refused: true,
          words: expect.stringMatching(/^The BMC was away and answers again, but .*401/),
          todo: expect.stringContaining("Change BMC"),
        },
      },
    });
    // Nobody else sends it meanwhile.
    const sent = signIns();
    expect(await reset.look(target, before, within)).toMatchObject({ value: { look: { refused: true } } });
    expect(signIns()).toBe(sent);
    bmc.password = right;
    untold();
    expect(await look()).toMatchObject({ value: { look: { kind: "restarted" } } });
  });
});
