// Retries, lost answers and limits of the Redfish client, against a real HTTP server.
import { describe, expect, it } from "vitest";
import { bmcForEachTest, discoveredTarget, within } from "@/server/hardware/redfish/testing/setup";
import { send, TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;
const { make, power } = bmcForEachTest("lenovo", (started) => (bmc = started));

const system = "/redfish/v1/Systems/1";

describe("a read", () => {
  it.each([429, 502, 503, 504])("is repeated after %i, with a wait that grows", async (status) => {
    const { client, slept } = make();
    const target = await discoveredTarget(bmc, client);
    let left = 2;
    bmc.fault = (_request, response) => left > 0 && ((left -= 1), send(response, status), true);
    expect((await power(client).read(target, within)).ok).toBe(true);
    expect(bmc.takeLines()).toHaveLength(3);
    expect(slept).toEqual([200, 800]);
  });

  it("waits as long as the BMC says, where that is within its time", async () => {
    const { client, slept } = make();
    const target = await discoveredTarget(bmc, client);
    let left = 1;
    bmc.fault = (_request, response) =>
      left > 0 && ((left -= 1), send(response, 503, "", { "retry-after": "7" }), true);
    expect((await power(client).read(target, within)).ok).toBe(true);
    expect(slept).toEqual([7_000]);
    left = 1;
    bmc.fault = (_request, response) =>
      left > 0 && ((left -= 1), send(response, 503, "", { "retry-after": "900" }), true);
    expect((await power(client).read(target, within)).ok).toBe(false);
    expect(slept).toEqual([7_000]);
  });

  it("is repeated after a closed connection, and given up after three tries", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.fault = (_request, response) => (response.socket?.destroy(), true);
    expect(await power(client).read(target, within)).toMatchObject({
      ok: false,
      error: { kind: "unreachable", unknownOutcome: false },
    });
    expect(bmc.takeLines()).toHaveLength(3);
  });

  it.each([400, 403, 404, 500, 501])("is not repeated after %i", async (status) => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.fault = (_request, response) => (send(response, status), true);
    expect((await power(client).read(target, within)).ok).toBe(false);
    expect(bmc.takeLines()).toHaveLength(1);
  });

  it("of a BMC that hangs ends in time and is not repeated", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.fault = () => true;
    const startedAt = performance.now();
    expect(await power(client).read(target, { timeoutMs: 1_000 })).toMatchObject({
      ok: false,
      error: { kind: "unreachable", unknownOutcome: false },
    });
    expect(performance.now() - startedAt).toBeLessThan(9_000); // below the 10 s timeout of one request
    expect(bmc.takeLines()).toHaveLength(1);
  });

  it("that timed out is not repeated, though there is time", async () => {
    const target = await discoveredTarget(bmc, make().client);
    const { client } = make({ limits: { readTimeoutMs: 1_000 } });
    expect((await power(client).read(target, within)).ok).toBe(true); // signs in
    bmc.takeLines();
    bmc.fault = () => true;
    expect(await power(client).read(target, within)).toMatchObject({
      ok: false,
      error: { kind: "unreachable" },
    });
    expect(bmc.takeLines()).toHaveLength(1);
  });

  it("of a BMC that drips its answer ends in time too", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.fault = (_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(" "), 10);
      response.once("close", () => clearInterval(drip));
      return true;
    };
    expect(await power(client).read(target, { timeoutMs: 1_000 })).toMatchObject({
      ok: false,
      error: { kind: "unreachable" },
    });
  });

  it.each(["<html>", "", "[]", "null", '"text"', "{", "{}"])(
    "answered with %j is a failure",
    async (content) => {
      const { client } = make();
      const target = await discoveredTarget(bmc, client);
      bmc.fault = (_request, response) => (send(response, 200, content), true);
      expect(await power(client).read(target, within)).toMatchObject({
        ok: false,
        error: { kind: "failed", unknownOutcome: false },
      });
    },
  );

  it("with an endless answer stops at 8 MiB", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    let sentBytes = 0;
    bmc.fault = (_request, response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(1024 * 1024, " ");
      const more = () => {
        while (!response.destroyed && response.write(piece)) sentBytes += piece.length;
        response.once("drain", more);
      };
      more();
      return true;
    };
    const result = await power(client).read(target, within);
    expect(result).toMatchObject({ ok: false, error: { kind: "failed" } });
    if (!result.ok) expect(result.error.message).toContain("larger than 8388608 bytes");
    expect(sentBytes).toBeLessThan(64 * 1024 * 1024);
  });

  it("that is redirected is not followed", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.fault = (_request, response) => (
      send(response, 302, "", { location: "http://169.254.169.254/" }),
      true
    );
    const result = await power(client).read(target, within);
    expect(result).toMatchObject({ ok: false, error: { kind: "failed" } });
    if (!result.ok) expect(result.error.message).toContain("redirects are not followed");
    expect(bmc.takeLines()).toHaveLength(1);
  });

  it("stops when the caller does", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    const stop = new AbortController();
    bmc.fault = () => (setTimeout(() => stop.abort(), 20), true);
    expect(await power(client).read(target, { ...within, signal: stop.signal })).toMatchObject({
      ok: false,
      error: { kind: "failed" },
    });
    expect(await power(client).read(target, { ...within, signal: stop.signal })).toMatchObject({
      ok: false,
      error: { kind: "failed" },
    });
    expect(bmc.takeLines()).toHaveLength(1);
  });

  it("of an address where nobody listens is unreachable", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    await bmc.stop();
    expect(await power(client).read(target, within)).toMatchObject({
      ok: false,
      error: { kind: "unreachable", unknownOutcome: false },
    });
    bmc = await TreeBmc.start("lenovo");
  });
});

describe("a BMC", () => {
  it("gets at most two requests at a time", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.atATime.most = 0;
    bmc.fault = ({ path }, response) =>
      path === system && (setTimeout(() => send(response, 200, { "@odata.id": system }), 10), true);
    await Promise.all(Array.from({ length: 12 }, () => power(client).read(target, within)));
    expect(bmc.takeLines()).toHaveLength(12);
    expect(bmc.atATime.most).toBe(2);
  });

  it("that hangs does not hold a call longer than its limit while it waits for its turn", async () => {
    const { client } = make();
    const target = await discoveredTarget(bmc, client);
    bmc.fault = () => true;
    const results = await Promise.all(
      // The waiting calls have less time than the calls that hold the slots, so no slot is free before they give up.
      [2_000, 2_000, 500, 500].map((timeoutMs) => power(client).read(target, { timeoutMs })),
    );
    expect(results.map((result) => !result.ok && result.error.kind)).toEqual([
      "unreachable",
      "unreachable",
      "unreachable",
      "unreachable",
    ]);
    expect(bmc.takeLines()).toHaveLength(2);
    bmc.fault = null;
    expect((await power(client).read(target, within)).ok).toBe(true);
  });
});
