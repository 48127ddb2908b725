// Boot windows over real HTTP: who gets our image and token, and that nobody else learns anything.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { positionOf } from "@/server/domain/cleaning/images/image-rollout";
import { otherByteOrder } from "@/server/domain/hosts/inventory/system-uuid";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import {
  from,
  proxy,
  post,
  send,
  startMachineServer,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  auditCount,
  fingerprint,
  openWindow,
  type TestHost,
} from "@/server/surfaces/machine/testing/machine-rows";
import { bootTokenOf, registerBodyOf, runStep } from "@/server/surfaces/machine/testing/agent-session";

const fixture = machineServer({ trustedProxies: [proxy] });

const script = async (query: string) => (await send(fixture, "GET", `/boot/ipxe?${query}`)).text;
const unknown = `uuid=${randomUUID()}`;

async function waiting(minutes = 30): Promise<TestHost> {
  const host = await addHost(fixture);
  await openWindow(fixture, host, minutes);
  return host;
}

describe("the boot script", () => {
  it("is our image while the window is open, asked by UUID or MAC", async () => {
    const host = await waiting();
    for (const query of [
      `uuid=${host.systemUuid}`,
      `mac=${host.mac}`,
      `mac=${host.mac.replaceAll(":", "-").toUpperCase()}`,
      `uuid=${host.systemUuid.toUpperCase()}&mac=${host.mac}`,
    ]) {
      const text = await script(query);
      expect(text).toContain(
        "kernel http://images.test/agent/vmlinuz initrd=initrd.img reclaim.server=http://hosts.reclaim.test || goto again\ninitrd http://images.test/agent/initrd.img || goto again\nboot || goto again\n",
      );
      expect(text).not.toContain("exit");
    }
  });

  it("knows a machine by its MAC, or by its UUID in the other byte order, when its firmware tells another UUID", async () => {
    const held = await addHost(fixture);
    await fixture.query("UPDATE host_run SET boot_held = true WHERE host_id = $1", [held.id]);
    const waitedFor = await waiting();
    for (const uuid of [
      randomUUID(),
      "03000200-0400-0500-0006-000700080009",
      otherByteOrder(held.systemUuid),
    ])
      expect(await script(`uuid=${uuid}&mac=${held.mac}`)).toContain("# wait");
    expect(await script(`uuid=${otherByteOrder(held.systemUuid)}`)).toContain("# wait");
    expect(await script(`uuid=${otherByteOrder(waitedFor.systemUuid)}`)).toContain("kernel http");
    expect(await script(`uuid=${randomUUID()}&mac=${waitedFor.mac}`)).toContain("kernel http");
  });

  it("knows a machine by a UUID that a person confirmed, in either byte order, and by none that nobody did", async () => {
    const [held, waitedFor] = [await addHost(fixture), await waiting()];
    await fixture.query("UPDATE host_run SET boot_held = true WHERE host_id = $1", [held.id]);
    for (const [host, words] of [
      [held, "# wait"],
      [waitedFor, "kernel http"],
    ] as const) {
      const uuid = randomUUID();
      await fixture.query(
        "INSERT INTO host_name (host_id, source, kind, value) VALUES ($1, 'agent', 'uuid', $2)",
        [host.id, uuid],
      );
      expect(await script(`uuid=${uuid}`)).toBe(await script(unknown));
      await fixture.query(
        "UPDATE host_name SET confirmed_at = now(), confirmed_by = 'op', reason = 'x' WHERE host_id = $1 AND source = 'agent'",
        [host.id],
      );
      expect(await script(`uuid=${uuid}`)).toContain(words);
      expect(await script(`uuid=${otherByteOrder(uuid)}`)).toContain(words);
    }
  });

  it("keeps the UUID that firmware tells in a boot that is waited for, which names nothing", async () => {
    const host = await waiting();
    const uuid = randomUUID();
    expect(await script(`uuid=${uuid}&mac=${host.mac}`)).toContain("kernel http");
    expect(
      await fixture.query("SELECT source, kind, value FROM host_name WHERE host_id = $1", [host.id]),
    ).toEqual([{ source: "firmware", kind: "uuid", value: uuid }]);
    expect(await script(`uuid=${uuid}`)).toBe(await script(unknown));
  });

  it.each(["ipxe", "token"])(
    "drops the names that an agent told and nobody confirmed, once a second address asks for the %s of a contested boot",
    async (path) => {
      const host = await waiting();
      const ask = (address: string) =>
        send(fixture, "GET", `/boot/${path}?uuid=${host.systemUuid}&mac=${host.mac}`, from(address));
      const names = async () =>
        (
          await fixture.query<{ value: string }>(
            "SELECT value FROM host_name WHERE host_id = $1 AND source <> 'firmware' ORDER BY value COLLATE \"C\"",
            [host.id],
          )
        ).map(({ value }) => value);
      await fixture.query(
        "INSERT INTO host_name (host_id, source, kind, value, confirmed_at, confirmed_by, reason) VALUES ($1, 'agent', 'serial', 'TOLD', NULL, NULL, NULL), ($1, 'agent', 'serial', $2, now(), 'op', 'x'), ($1, 'bmc', 'serial', 'BMC', NULL, NULL, NULL)",
        [host.id, path],
      );
      await send(fixture, "GET", `/boot/token?uuid=${host.systemUuid}`, from("127.0.0.7"));
      await ask("127.0.0.7");
      await fixture.query("UPDATE boot_window SET contested_at = now() WHERE host_id = $1", [host.id]);
      await ask("127.0.0.7");
      expect(await names()).toEqual(["BMC", "TOLD", path]);
      await ask("127.0.0.9");
      expect(await names()).toEqual(["BMC", path]);
    },
  );

  it("is never the disk, and no token is given, when the names are of several hosts, one of them held or waited for", async () => {
    const [free, held, waitedFor] = [await addHost(fixture), await addHost(fixture), await waiting()];
    await fixture.query("UPDATE host_run SET boot_held = true WHERE host_id = $1", [held.id]);
    const mixed = [
      `uuid=${free.systemUuid}&mac=${held.mac}`,
      `uuid=${held.systemUuid}&mac=${waitedFor.mac}`,
      `uuid=${otherByteOrder(waitedFor.systemUuid)}&mac=${free.mac}`,
    ];
    for (const query of mixed) {
      expect(await script(query)).toContain("# wait");
      expect(await send(fixture, "GET", `/boot/token?${query}`)).toMatchObject({
        status: 409,
        body: { code: "ambiguousMachine" },
      });
    }
    // An exact UUID is believed if nothing else is held or waited for, and an idle host's names lead nowhere.
    expect(await script(`uuid=${waitedFor.systemUuid}&mac=${free.mac}`)).toContain("kernel http");
    expect(await script(`uuid=${free.systemUuid}&mac=${free.mac}`)).toContain("exit 0");
    await vi.waitFor(async () =>
      expect(
        await fixture.query(
          "SELECT host_id::text, address FROM security_event WHERE kind = 'ambiguousMachine' AND host_id = ANY($1::uuid[])",
          [[held.id, waitedFor.id]],
        ),
      ).toHaveLength(2),
    );
  });

  it("takes a MAC that the host with the exact UUID has, too, for no name of another", async () => {
    const [own, other] = [await waiting(), await waiting()];
    await fixture.query("UPDATE host SET macs = macs || $2::text WHERE id = $1", [other.id, own.mac]);
    const query = `uuid=${own.systemUuid}&mac=${own.mac}`;
    expect(await script(query)).toContain("kernel http");
    expect(await send(fixture, "GET", `/boot/token?${query}`)).toMatchObject({ status: 200 });
    expect(await script(`uuid=${randomUUID()}&mac=${own.mac}`)).toContain("# wait");
  });

  it("is never the disk for a host that is held under a UUID that many boards have", async () => {
    const uuid = "03000200-0400-0500-0006-000700080009";
    const held = await addHost(fixture, undefined, undefined, { systemUuid: uuid });
    expect(await script(`uuid=${uuid}&mac=02:bb:bb:bb:bb:bb`)).toContain("exit 0");
    await fixture.query("UPDATE host_run SET boot_held = true WHERE host_id = $1", [held.id]);
    expect(await script(`uuid=${uuid}&mac=02:bb:bb:bb:bb:bb`)).toContain("# wait");
    expect((await send(fixture, "GET", `/boot/token?uuid=${uuid}&mac=02:bb:bb:bb:bb:bb`)).status).not.toBe(
      200,
    );
  });

  it("is the disk, in the same words, for a host that is not ours, not waited for, too late, or through", async () => {
    const idle = await addHost(fixture);
    const late = await waiting(-1);
    const replaced = await waiting();
    await fixture.query("UPDATE host_run SET boot_epoch = boot_epoch + 1 WHERE host_id = $1", [replaced.id]);
    const through = await waiting();
    await post(fixture, "/agent/v1/register", await bootTokenOf(fixture, through), registerBodyOf(through));
    const answers = await Promise.all(
      [
        unknown,
        ...[idle, late, replaced, through].map((host) => `uuid=${host.systemUuid}`),
        "mac=02:aa:aa:aa:aa:aa",
      ].map(script),
    );
    expect(new Set(answers)).toEqual(new Set(["#!ipxe\n# boot from disk\nexit 0\n"]));
  });

  it("is neither image nor disk before the restart of the boot is done, or once it is contested: the host is told to ask again", async () => {
    const early = await addHost(fixture);
    await openWindow(fixture, early, 30, false);
    const contested = await waiting();
    await fixture.query("UPDATE boot_window SET contested_at = now() WHERE host_id = $1", [contested.id]);
    for (const host of [early, contested]) {
      expect(await script(`uuid=${host.systemUuid}&mac=${host.mac}`)).toBe(
        `#!ipxe\n# wait\n:again\nsleep 5 ||\nchain --replace http://hosts.reclaim.test/boot/ipxe?uuid=${host.systemUuid}&mac=${encodeURIComponent(host.mac)} ||\ngoto again\n`,
      );
    }
  });

  it("is the image, once the restart is read back, for a host that asked a moment before", async () => {
    const host = await addHost(fixture);
    await openWindow(fixture, host, 30, false);
    const answer = script(`uuid=${host.systemUuid}`);
    await fixture.query(
      "UPDATE boot_window SET reset_done_at = now() FROM (SELECT pg_sleep(0.1)) AS later WHERE host_id = $1",
      [host.id],
    );
    expect(await answer).toContain("kernel http");
  });

  it("is never the disk for a held host; from the first erase on, that it booted unordered is told once", async () => {
    const idle = await addHost(fixture);
    const late = await waiting(-1);
    const through = await waiting();
    await post(fixture, "/agent/v1/register", await bootTokenOf(fixture, through), registerBodyOf(through));
    const fresh = await addHost(fixture);
    for (const host of [idle, late, through]) await runStep(fixture, host);
    await fixture.query("DELETE FROM signal");
    await fixture.query("UPDATE host_run SET boot_held = true WHERE host_id = ANY($1::uuid[])", [
      [fresh.id, idle.id, late.id, through.id],
    ]);
    expect(await script(`uuid=${fresh.systemUuid}`)).toContain("# wait");
    for (const host of [idle, late, through, through])
      expect(await script(`uuid=${host.systemUuid}`)).toContain("# wait");
    const told = await fixture.query<{ host_id: string; kind: string }>(
      "SELECT host_id::text, kind FROM signal ORDER BY id",
    );
    expect(told).toEqual([idle, late, through].map((host) => ({ host_id: host.id, kind: "bootUnordered" })));
  });

  it.each(["", "uuid=abc", "mac=xyz", "mac=02:00:00", "uuid=%00", "other=1"])(
    "refuses ?%s",
    async (query) => {
      expect(await send(fixture, "GET", `/boot/ipxe?${query}`)).toMatchObject({
        status: 400,
        body: { code: "invalid" },
      });
    },
  );

  describe("from outside the site's provisioning networks", () => {
    let elsewhere: MachineFixture;
    beforeAll(async () => {
      elsewhere = await startMachineServer({ provisioningNetworks: ["10.20.0.0/16", "fd00::/8"] });
    });
    afterAll(() => elsewhere.close());

    it("counts for nothing, is told to people, and gets the same bytes as for an unknown machine", async () => {
      const [waitedFor, held] = [await addHost(elsewhere), await addHost(elsewhere)];
      await openWindow(elsewhere, waitedFor);
      await elsewhere.query("UPDATE host_run SET boot_held = true WHERE host_id = $1", [held.id]);
      const before = await fingerprint(elsewhere);
      const ids = [waitedFor.systemUuid, held.systemUuid, randomUUID()];
      const asked = (path: string) =>
        Promise.all(ids.map((uuid) => send(elsewhere, "GET", `${path}?uuid=${uuid}`)));
      const [scripts, tokens] = [await asked("/boot/ipxe"), await asked("/boot/token")];
      expect(new Set(scripts.map(({ text }) => text))).toEqual(
        new Set(["#!ipxe\n# boot from disk\nexit 0\n"]),
      );
      expect(new Set(tokens.map(({ status, body: { code } }) => `${status} ${String(code)}`))).toEqual(
        new Set(["404 noBootWindow"]),
      );
      expect(await fingerprint(elsewhere)).toBe(before);
      const events = () =>
        elsewhere.query(
          "SELECT host_id::text AS host, kind, address, (SELECT array_agg(p ORDER BY p) FROM unnest(paths) p) AS paths FROM security_event ORDER BY array_position($1::uuid[], host_id)",
          [[waitedFor.id, held.id]],
        );
      await expect.poll(events).toEqual(
        [waitedFor, held].map(({ id }) => ({
          host: id,
          kind: "bootRequestFromOutside",
          address: "127.0.0.1",
          paths: ["GET /boot/ipxe", "GET /boot/token"],
        })),
      );
    });

    it("is answered only so often per address, whether or not the machine is known", async () => {
      const known = await addHost(elsewhere);
      await openWindow(elsewhere, known);
      const statuses = async (uuid: string) =>
        (
          await Promise.all(
            Array.from({ length: 70 }, () => send(elsewhere, "GET", `/boot/ipxe?uuid=${uuid}`)),
          )
        ).map(({ status }) => status);
      expect(await statuses(randomUUID())).toContain(429);
      expect(new Set(await statuses(known.systemUuid))).toContain(429);
    });
  });
});

describe("the image of a boot", () => {
  const urlOf = async (host: TestHost): Promise<string> =>
    /kernel (\S+)\/vmlinuz/.exec(await script(`uuid=${host.systemUuid}`))?.[1] ?? "";
  const noted = async (host: TestHost): Promise<string | null> =>
    (
      await fixture.query<{ version: string | null }>(
        "SELECT i.version FROM boot_window b LEFT JOIN agent_image i ON i.id = b.image_id WHERE b.host_id = $1 ORDER BY b.boot_epoch DESC LIMIT 1",
        [host.id],
      )
    )[0]?.version ?? null;
  const image = async (
    version: string,
    status: string,
    rollout: { readonly stage: "few" | "share" | "all"; readonly hosts?: number; readonly percent?: number },
  ): Promise<string> => {
    const id = randomUUID();
    await fixture.query(
      "INSERT INTO agent_image (id, site_id, version, url, status, stage, hosts, percent) SELECT $1, id, $2, $3, $4, $5, $6, $7 FROM site",
      [
        id,
        version,
        `http://images.test/${version}`,
        status,
        rollout.stage,
        rollout.hosts ?? null,
        rollout.percent ?? null,
      ],
    );
    return id;
  };
  const brakeOn = (version: string) =>
    fixture.query(
      "INSERT INTO brake (id, site_id, dimension, value, failed, started, message) SELECT gen_random_uuid(), id, 'image', $1, 10, 10, 'all of them failed' FROM site",
      [version],
    );
  const again = async (host: TestHost): Promise<void> => {
    await fixture.query(
      "UPDATE boot_window SET expires_at = now() - interval '1 second' WHERE host_id = $1",
      [host.id],
    );
    await openWindow(fixture, host);
  };
  const registered = async (host: TestHost): Promise<void> =>
    void (await post(fixture, "/agent/v1/register", await bootTokenOf(fixture, host), registerBodyOf(host)));
  afterEach(() =>
    fixture.query("DELETE FROM brake; UPDATE boot_window SET image_id = NULL; DELETE FROM agent_image"),
  );

  it("is the configured one where the site has none, and the current one where it has", async () => {
    const host = await waiting();
    expect([await urlOf(host), await noted(host)]).toEqual(["http://images.test/agent", null]);
    await image("1.4.0", "current", { stage: "all" });
    expect([await urlOf(host), await noted(host)]).toEqual(["http://images.test/1.4.0", "1.4.0"]);
  });

  it("that is signed is started only with signatures that fit, and its digest is in the kernel's command line", async () => {
    const host = await waiting();
    expect(await script(`uuid=${host.systemUuid}`)).not.toMatch(/imgverify|sha256/);
    await image("1.4.0", "current", { stage: "all" });
    await fixture.query("UPDATE agent_image SET signed = true, sha256 = $1", ["ab".repeat(32)]);
    const lines = (await script(`uuid=${host.systemUuid}`)).split("\n");
    expect(lines.slice(2, 7)).toEqual([
      `kernel http://images.test/1.4.0/vmlinuz initrd=initrd.img reclaim.server=http://hosts.reclaim.test reclaim.initrd_sha256=${"ab".repeat(32)} || goto again`,
      "initrd http://images.test/1.4.0/initrd.img || goto again",
      "imgverify vmlinuz http://images.test/1.4.0/vmlinuz.sig || goto again",
      "imgverify initrd.img http://images.test/1.4.0/initrd.img.sig || goto again",
      "boot || goto again",
    ]);
  });

  it("is the candidate for so many hosts and no more, also when they ask at the same time, and for the same hosts again", async () => {
    await image("1.4.0", "current", { stage: "all" });
    await image("1.5.0", "candidate", { stage: "few", hosts: 2 });
    const hosts = await Promise.all(Array.from({ length: 6 }, () => waiting()));
    await Promise.all(hosts.flatMap((host) => [urlOf(host), urlOf(host)]));
    const given = await Promise.all(hosts.map(urlOf));
    expect(given.filter((url) => url === "http://images.test/1.5.0")).toHaveLength(2);
    expect(await Promise.all(hosts.map(noted))).toEqual(
      given.map((url) => url.slice("http://images.test/".length)),
    );
    expect(await fixture.query("SELECT given FROM agent_image WHERE version = '1.5.0'")).toEqual([
      { given: 2 },
    ]);
    for (const host of hosts) {
      await registered(host);
      await again(host);
    }
    expect(await Promise.all(hosts.map(urlOf))).toEqual(given);
  });

  it("is not the candidate again on a host where it did not come up", async () => {
    await image("1.5.0", "candidate", { stage: "all" });
    const host = await waiting();
    expect(await urlOf(host)).toBe("http://images.test/1.5.0");
    await again(host);
    expect([await urlOf(host), await noted(host)]).toEqual(["http://images.test/agent", null]);
  });

  it("is the current one while a brake is on the candidate, in the same boot too, and the candidate again when it is lifted", async () => {
    await image("1.4.0", "current", { stage: "all" });
    await image("1.5.0", "candidate", { stage: "all" });
    const host = await waiting();
    expect(await urlOf(host)).toBe("http://images.test/1.5.0");
    await brakeOn("1.5.0");
    expect([await urlOf(host), await urlOf(await waiting())]).toEqual([
      "http://images.test/1.4.0",
      "http://images.test/1.4.0",
    ]);
    expect(await noted(host)).toBe("1.4.0");
    await fixture.query("UPDATE brake SET lifted_at = now()");
    expect(await urlOf(host)).toBe("http://images.test/1.5.0");
  });

  it("is the candidate for a share of the hosts, as the rule says", async () => {
    const id = await image("1.5.0", "candidate", { stage: "share", percent: 50 });
    for (const host of await Promise.all(Array.from({ length: 8 }, () => waiting()))) {
      expect(await urlOf(host)).toBe(
        positionOf(id, host.id) < 50 ? "http://images.test/1.5.0" : "http://images.test/agent",
      );
    }
  });
});

describe("the boot token", () => {
  it("is the same in one window, also for two at once, and another in the next", async () => {
    const host = await waiting();
    const tokens = await Promise.all([1, 2, 3].map(() => bootTokenOf(fixture, host)));
    expect(new Set(tokens).size).toBe(1);
    await openWindow(fixture, host);
    expect(await bootTokenOf(fixture, host)).not.toBe(tokens[0]);
  });

  it("is not given before the restart of the boot is done; that it was asked for is audited, told to the host, and costs the boot", async () => {
    const host = await addHost(fixture);
    await openWindow(fixture, host, 30, false);
    const audits = await auditCount(fixture, "boot.token");
    const ask = () => send(fixture, "GET", `/boot/token?uuid=${host.systemUuid}&mac=${host.mac}`);
    expect(await ask()).toMatchObject({ status: 409, body: { code: "bootNotRestarted" } });
    expect(
      await fixture.query("SELECT kind, payload->>'bootEpoch' AS epoch FROM signal WHERE host_id = $1", [
        host.id,
      ]),
    ).toEqual([{ kind: "bootContested", epoch: "1" }]);
    await fixture.query("UPDATE boot_window SET reset_done_at = now() WHERE host_id = $1", [host.id]);
    expect(await ask()).toMatchObject({ status: 409, body: { code: "bootContested" } });
    expect(
      await fixture.query(
        "SELECT token_hash, contested_at IS NOT NULL AS contested FROM boot_window WHERE host_id = $1",
        [host.id],
      ),
    ).toEqual([{ token_hash: null, contested: true }]);
    expect(await auditCount(fixture, "boot.token")).toBe(audits + 2);
    await openWindow(fixture, host);
    expect(await bootTokenOf(fixture, host)).not.toBe("");
  });

  it("is given to one address: a second one costs the boot, is told, and the next boot serves whoever asks first", async () => {
    const host = await waiting();
    const ask = (address: string) =>
      send(fixture, "GET", `/boot/token?uuid=${host.systemUuid}`, from(address));
    expect((await ask("127.0.0.7")).status).toBe(200);
    expect(await ask("127.0.0.9")).toMatchObject({ status: 401, body: { code: "addressChanged" } });
    expect(await ask("127.0.0.7")).toMatchObject({ status: 409, body: { code: "bootContested" } });
    expect(await fixture.query("SELECT kind, payload FROM signal WHERE host_id = $1", [host.id])).toEqual([
      {
        kind: "bootContested",
        payload: {
          bootEpoch: 1,
          message: "a boot token was asked for from 127.0.0.9, but it had been given to 127.0.0.7",
        },
      },
    ]);
    expect(
      await fixture.query("SELECT kind, address FROM security_event WHERE host_id = $1 ORDER BY kind", [
        host.id,
      ]),
    ).toEqual([
      { kind: "addressChanged", address: "127.0.0.9" },
      { kind: "contestedBoot", address: "127.0.0.7" },
    ]);
    await openWindow(fixture, host);
    expect((await ask("127.0.0.9")).status).toBe(200);
  });

  it("is given to one of two addresses that ask at the same moment, and not for long", async () => {
    const host = await waiting();
    const ask = (address: string) =>
      send(fixture, "GET", `/boot/token?uuid=${host.systemUuid}`, from(address));
    const both = await Promise.all([ask("127.0.0.7"), ask("127.0.0.9")]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await ask("127.0.0.7")).body).toMatchObject({ code: "bootContested" });
  });

  it("is not given again once an agent has registered", async () => {
    const host = await waiting();
    await post(fixture, "/agent/v1/register", await bootTokenOf(fixture, host), registerBodyOf(host));
    expect(await send(fixture, "GET", `/boot/token?uuid=${host.systemUuid}`)).toMatchObject({
      status: 409,
      body: { code: "bootTokenUsed" },
    });
  });

  it("is in the database neither readable nor movable", async () => {
    const [one, other] = [await waiting(), await waiting()];
    const token = await bootTokenOf(fixture, one);
    const [row] = await fixture.query<{ token_box: Buffer }>(
      "SELECT token_box FROM boot_window WHERE host_id = $1",
      [one.id],
    );
    expect(row?.token_box.includes(Buffer.from(token))).toBe(false);
    await fixture.query("UPDATE boot_window SET token_box = $2 WHERE host_id = $1", [
      other.id,
      row?.token_box,
    ]);
    const moved = await send(fixture, "GET", `/boot/token?uuid=${other.systemUuid}`);
    expect(moved).toMatchObject({ status: 500, body: { code: "internal" } });
    expect(moved.text).not.toContain(token);
  });

  it("is refused alike for unknown hosts and closed windows", async () => {
    const [idle, late] = [await addHost(fixture), await waiting(-1)];
    const before = await fingerprint(fixture);
    const answers = await Promise.all(
      [unknown, `uuid=${idle.systemUuid}`, `uuid=${late.systemUuid}`].map((query) =>
        send(fixture, "GET", `/boot/token?${query}`),
      ),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, body: { code: "noBootWindow" } });
    expect(new Set(answers.map(({ body: { requestId: _, ...rest } }) => JSON.stringify(rest))).size).toBe(1);
    expect(await fingerprint(fixture)).toBe(before);
  });
});
