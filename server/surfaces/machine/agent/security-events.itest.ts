// What is tried on the machine surfaces is found again as a security event: over real HTTP on a real database.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { flushSecurityEvents } from "@/server/db/security-events";
import { newToken, tokenHash } from "@/server/domain/access/tokens";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { post, send } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, openWindow, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";
import {
  bootTokenOf,
  progressOf,
  registerBodyOf,
  registered,
  resultOf,
  runStep,
} from "@/server/surfaces/machine/testing/agent-session";

const fixture = machineServer({ longPollMs: 600 });

const eventsOf = (host: TestHost) =>
  fixture.query(
    "SELECT kind, host_id, site_id, address, tried, paths, count::int AS count FROM security_event WHERE host_id = $1 ORDER BY first_at, kind",
    [host.id],
  );

describe("a security event", () => {
  it("tells of a report for another host's step, and of a second result", async () => {
    const [host, other] = [await addHost(fixture), await addHost(fixture)];
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const { stepRunId: foreign } = await runStep(fixture, other);
    for (let n = 0; n < 3; n += 1)
      await post(fixture, `/agent/v1/step-runs/${foreign}/result`, token, resultOf());
    await post(fixture, `/agent/v1/step-runs/${foreign}/progress`, token, progressOf());
    expect((await post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf())).status).toBe(
      200,
    );
    await post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf({ message: "another" }));
    await flushSecurityEvents();
    expect(await eventsOf(other)).toEqual([]);
    const [event, ...more] = await eventsOf(host);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ kind: "reportForged", site_id: fixture.siteId, address: "127.0.0.1" });
    expect(event).toMatchObject({
      paths: ["POST /agent/v1/step-runs/…/result", "POST /agent/v1/step-runs/…/progress"],
    });
    expect(JSON.stringify(event)).toContain(foreign);
  });

  it("tells of a token that is asked for too early, and of what follows in the contested boot", async () => {
    const host = await addHost(fixture);
    await openWindow(fixture, host, 30, false);
    const ask = () => send(fixture, "GET", `/boot/token?uuid=${host.systemUuid}`);
    await ask();
    await ask();
    expect((await eventsOf(host)).map(({ kind }) => kind)).toEqual(["earlyToken", "contestedBoot"]);
  });

  it("tells of an agent with another identity, and of one with a used token", async () => {
    const host = await addHost(fixture);
    await openWindow(fixture, host);
    const bootToken = await bootTokenOf(fixture, host);
    const identity = { systemUuid: host.systemUuid, serial: "OTHER", macs: [host.mac] };
    await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host, { identity }));
    expect(await eventsOf(host)).toMatchObject([
      { kind: "registrationRefused", paths: ["POST /agent/v1/register"], count: 1 },
    ]);
    expect(JSON.stringify(await eventsOf(host))).toContain("serial number OTHER");
  });

  it("tells of an acknowledgement for a host of another site", async () => {
    const host = await addHost(fixture);
    const token = newToken();
    const siteId = randomUUID();
    await fixture.query("INSERT INTO site (id, name) VALUES ($1, 'elsewhere')", [siteId]);
    await fixture.query(
      "INSERT INTO adapter_token (id, hash, adapter, site_id) VALUES ($1, $2, 'fabric', $3)",
      [randomUUID(), tokenHash(token), siteId],
    );
    await post(fixture, "/network/v1/acknowledgements", token, {
      host: host.id,
      interface: "dpu-0",
      version: 7,
      sha256: "0".repeat(64),
      extensionServices: "terminated",
    });
    expect(
      await fixture.query(
        "SELECT kind, tried FROM security_event WHERE kind = 'networkAcknowledgementRefused'",
      ),
    ).toHaveLength(1);
  });
});
