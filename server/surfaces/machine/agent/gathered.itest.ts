// Concurrent calls of many machines share statements. Each must get its own answer and write its own rows, whatever is in the same batch.
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { post, send } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, openWindow, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";
import {
  bootTokenOf,
  inventoryOf,
  progressOf,
  registerBodyOf,
  registered,
  resultOf,
  runStep,
} from "@/server/surfaces/machine/testing/agent-session";

const fixture = machineServer({ longPollMs: 300 });

/** Concurrent calls: the first goes alone, and the others, which wait for the statements' pace, share one. */
const many = 12;
const each = <Value>(make: (index: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: many }, (_, index) => make(index)));

interface Running {
  readonly host: TestHost;
  readonly token: string;
  readonly stepRunId: string;
}

const running = (): Promise<Running[]> =>
  each(async () => {
    const host = await addHost(fixture);
    return {
      host,
      token: await registered(fixture, host),
      stepRunId: (await runStep(fixture, host)).stepRunId,
    };
  });

const at = <Value>(list: readonly Value[], index: number): Value => {
  const value = list[index];
  if (value === undefined) throw new Error(`there is no ${index}`);
  return value;
};

const reportOf = async ({ stepRunId }: Running) =>
  (
    await fixture.query<{ report: { message: string } | null }>(
      "SELECT report FROM step_attempt WHERE step_run_id = $1",
      [stepRunId],
    )
  )[0]?.report?.message ?? null;
const kindsOf = async ({ host }: { host: TestHost }) =>
  (
    await fixture.query<{ kind: string }>("SELECT kind FROM signal WHERE host_id = $1 ORDER BY id", [host.id])
  ).map(({ kind }) => kind);

it("results: one that is over, one for another's step, one of nobody and one with junk change nothing for the others", async () => {
  const all = await running();
  await fixture.query("UPDATE step_run SET status = 'failed' WHERE id = $1", [at(all, 3).stepRunId]);
  const answers = await each((index) => {
    const { token, stepRunId } = at(all, index);
    if (index === 5)
      return post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, "A".repeat(43), resultOf());
    if (index === 7)
      return post(
        fixture,
        `/agent/v1/step-runs/${at(all, 8).stepRunId}/result`,
        token,
        resultOf({ message: "of another" }),
      );
    if (index === 9)
      return post(
        fixture,
        `/agent/v1/step-runs/${stepRunId}/result`,
        token,
        JSON.stringify(resultOf()).replace("done", "\\u0000"),
      );
    return post(
      fixture,
      `/agent/v1/step-runs/${stepRunId}/result`,
      token,
      resultOf({ message: `of ${index}` }),
    );
  });
  expect(answers.map(({ status }) => status)).toEqual([
    200, 200, 200, 409, 200, 401, 200, 404, 200, 400, 200, 200,
  ]);
  const refused = [3, 5, 7, 9];
  expect(await Promise.all(all.map(reportOf))).toEqual(
    all.map((_, index) => (refused.includes(index) ? null : `of ${index}`)),
  );
  expect(await Promise.all(all.map(kindsOf))).toEqual(
    all.map((_, index) =>
      refused.includes(index) ? ["agentRegistered"] : ["agentRegistered", "stepReport"],
    ),
  );
});

it("the same result twice, and another one, of each of many", async () => {
  const all = await running();
  const answers = await Promise.all(
    all.flatMap(({ token, stepRunId }) =>
      ["a", "a", "b"].map((message) =>
        post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf({ message })),
      ),
    ),
  );
  for (let index = 0; index < many; index += 1) {
    const [first, second, other] = answers.slice(index * 3, index * 3 + 3).map(({ status }) => status);
    // The first one is kept, whichever it was, and the same report gets the same answer again.
    expect([
      [200, 200, 409],
      [409, 409, 200],
    ]).toContainEqual([first, second, other]);
    expect((await kindsOf(at(all, index))).filter((kind) => kind === "stepReport")).toHaveLength(1);
  }
});

it("progress: each host shows its own, and only one that may be erasing is held on", async () => {
  const all = await running();
  const answers = await each((index) =>
    post(
      fixture,
      `/agent/v1/step-runs/${at(all, index).stepRunId}/progress`,
      at(all, index).token,
      progressOf({ percent: index, message: `at ${index}`, unstoppable: index % 2 === 0 }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
  const rows = await fixture.query<{ host_id: string; clean_message: string; erasing: boolean }>(
    "SELECT host_id::text, clean_message, erasing FROM host_run WHERE host_id = ANY($1::uuid[])",
    [all.map(({ host }) => host.id)],
  );
  expect(all.map(({ host }) => rows.find((row) => row.host_id === host.id))).toEqual(
    all.map(({ host }, index) => ({
      host_id: host.id,
      clean_message: `at ${index}`,
      erasing: index % 2 === 0,
    })),
  );
});

it("inventories: kept of those who were asked, and of nobody else", async () => {
  const all = await running();
  await fixture.query(
    "UPDATE host_run SET command = jsonb_build_object('kind', 'discover', 'id', 'd ' || host_id), command_epoch = 1 WHERE host_id = ANY($1::uuid[])",
    [all.filter((_, index) => index % 3 !== 0).map(({ host }) => host.id)],
  );
  const inventoryNow = (index: number) => ({
    ...inventoryOf(at(all, index).host),
    memoryBytes: String(index + 1),
  });
  const answers = await each((index) =>
    post(fixture, "/agent/v1/discovery", at(all, index).token, {
      command: `d ${at(all, index).host.id}`,
      inventory: inventoryNow(index),
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(all.map((_, index) => (index % 3 === 0 ? 409 : 200)));
  const rows = await fixture.query<{ host_id: string; body: unknown }>(
    "SELECT host_id::text, body FROM host_inventory WHERE source = 'agent' AND host_id = ANY($1::uuid[])",
    [all.map(({ host }) => host.id)],
  );
  expect(all.map(({ host }) => rows.find((row) => row.host_id === host.id)?.body)).toEqual(
    all.map(({ host }, index) => (index % 3 === 0 ? inventoryOf(host) : inventoryNow(index))),
  );
});

it("registrations: each gets a session of its own, and a stranger none", async () => {
  const hosts = await each(async () => {
    const host = await addHost(fixture);
    await openWindow(fixture, host);
    return host;
  });
  const tokens = await Promise.all(hosts.map((host) => bootTokenOf(fixture, host)));
  expect(new Set(tokens).size).toBe(many);
  const stranger = 4;
  const answers = await each((index) =>
    post(
      fixture,
      "/agent/v1/register",
      tokens[index],
      index === stranger ? registerBodyOf(at(hosts, 0)) : registerBodyOf(at(hosts, index)),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(
    hosts.map((_, index) => (index === stranger ? 409 : 200)),
  );
  await each(async (index) => {
    const sessions = await fixture.query<{ identity: { serial: string } }>(
      "SELECT identity FROM agent_session WHERE host_id = $1",
      [at(hosts, index).id],
    );
    expect(sessions.map(({ identity }) => identity.serial)).toEqual(
      index === stranger ? [] : [at(hosts, index).serial],
    );
    expect(await kindsOf({ host: at(hosts, index) })).toEqual([
      index === stranger ? "agentIdentityConflict" : "agentRegistered",
    ]);
    if (index === stranger) return;
    const { id } = at(hosts, index);
    await fixture.query(
      "UPDATE host_run SET command = jsonb_build_object('kind', 'discover', 'id', 'd ' || host_id), command_epoch = 1 WHERE host_id = $1",
      [id],
    );
    expect(
      (
        await post(fixture, "/agent/v1/poll", String(at(answers, index).body.sessionToken), {
          working: null,
          finished: [],
        })
      ).body,
    ).toEqual({ command: { kind: "discover", id: `d ${id}` } });
  });
});

it("boot scripts: ours for those that are waited for, the disk for the others, by UUID and by MAC", async () => {
  const hosts = await each(() => addHost(fixture));
  for (const [index, host] of hosts.entries()) if (index % 2 === 0) await openWindow(fixture, host);
  const scripts = await each((index) =>
    send(
      fixture,
      "GET",
      `/boot/ipxe?${index % 3 === 0 ? `mac=${at(hosts, index).mac}` : `uuid=${at(hosts, index).systemUuid}`}`,
    ),
  );
  expect(scripts.map(({ text }) => text.includes("vmlinuz"))).toEqual(
    hosts.map((_, index) => index % 2 === 0),
  );
  const nobody = await Promise.all(
    Array.from({ length: 40 }, () => send(fixture, "GET", `/boot/ipxe?uuid=${randomUUID()}`)),
  );
  expect(new Set(nobody.map(({ text }) => text))).toEqual(new Set(["#!ipxe\n# boot from disk\nexit 0\n"]));
});

it("one boot's token is the same for all who ask at one moment", async () => {
  const host = await addHost(fixture);
  await openWindow(fixture, host);
  expect(new Set(await each(() => bootTokenOf(fixture, host))).size).toBe(1);
});
