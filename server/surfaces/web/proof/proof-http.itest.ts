// The proof desk's files over HTTP: who gets which, what is refused, that a pack that is given up leaves its place, and that a checked file is kept nowhere.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addFirstKey } from "@/server/db/audit-log/keys";
import { poolOf } from "@/server/db/prisma";
import { checkedFile, maxCheckedBytes } from "@/server/contract/assurance/proof";
import { bundleMediaType } from "@/server/domain/assurance/certificates/bundle";
import { sampleBundle } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import { startConsoleServer } from "@/server/surfaces/web/testing/console-server";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { addReturn, signAll } from "@/server/usecases/testing/returns";

let server: ConsoleServer;
let tokens: Record<"operator" | "auditor" | "acme" | "vela" | "repair", string>;
let over = false;
let signing: Promise<void>;

beforeAll(async () => {
  server = await startConsoleServer();
  const { world } = server;
  const pool = poolOf(world.backend.database);
  await pool.query("UPDATE site SET demo = false");
  await addFirstKey(pool, world.backend.secrets, "reclaim.test/audit-log");
  const startedAt = "2026-10-30T20:31:00Z";
  await addReturn(world, "gpu-1", { tenant: "acme", startedAt, serial: "PHAB1", outcome: "ready" });
  await addReturn(world, "gpu-2", { tenant: "acme", startedAt, serial: "PHAB2" });
  await addReturn(world, "gpu-5", { tenant: "vela", startedAt, serial: "VELA5", outcome: "ready" });
  await signAll(world);
  tokens = {
    operator: await server.token("operator"),
    auditor: await server.token("auditor"),
    acme: await server.token(world.actor("tenant-admin", "acme")),
    vela: await server.token(world.actor("tenant-admin", "vela")),
    repair: await server.token("repair-tenant-admin"),
  };
  // The controller's jobs, which number and sign what is made meanwhile.
  signing = (async () => {
    while (!over) await signAll(world);
  })();
});
afterAll(async () => {
  over = true;
  await signing;
  await server.stop();
});

const ask = (path: string, token: string | null): Promise<Response> =>
  fetch(`${server.url}${path}`, token === null ? {} : { headers: { authorization: `Bearer ${token}` } });
/** Each person makes one pack at a time, and a few a minute. */
const pack = async (token: string, query = ""): Promise<Buffer> => {
  const answer = await ask(`/api/proof/pack${query}`, token);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};
const code = async (answer: Response) => ({
  status: answer.status,
  detail: ((await answer.json()) as { detail: string }).detail,
});
const check = async (token: string, bytes: Uint8Array, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${server.url}/api/proof/check`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: new Uint8Array(bytes),
  });
  return answer.ok ? checkedFile.parse(await answer.json()) : code(answer);
};

describe("a pack", () => {
  it("is made for the provider of all, and for a tenant of its own returns", async () => {
    const all = (await pack(tokens.operator)).toString("latin1");
    expect(all).toMatch(/of-gpu-1[^]*of-gpu-5|of-gpu-5[^]*of-gpu-1/);
    const own = (await pack(tokens.acme)).toString("latin1");
    expect(own).toContain("of-gpu-1");
    expect(own).not.toMatch(/of-gpu-5|VELA5|vela/i);
    expect((await pack(tokens.repair)).toString("latin1")).not.toMatch(/of-gpu/);
  });
  it("is refused to nobody, for another tenant, and for a selection that is none", async () => {
    expect(await code(await ask("/api/proof/pack", null))).toMatchObject({ status: 401 });
    expect(await code(await ask("/api/proof/pack", "rc_wrong"))).toMatchObject({ status: 401 });
    expect(await code(await ask("/api/proof/pack?tenant=vela", tokens.acme))).toMatchObject({
      status: 404,
      detail: expect.stringContaining("vela"),
    });
    for (const query of ["month=October", "standing=clean", "pdf=1", "exception=maybe", "junk=1", "kind=x"])
      expect(await code(await ask(`/api/proof/pack?${query}`, tokens.auditor)), query).toMatchObject({
        status: expect.toSatisfy((status) => status === 400 || status === 429),
      });
    expect((await fetch(`${server.url}/api/proof/pack`, { method: "POST", body: "x" })).status).toBe(405);
  });
  it("that nobody reads to its end gives its place back", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `GET /api/proof/pack HTTP/1.1\r\nhost: reclaim.test\r\nauthorization: Bearer ${tokens.vela}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    await expect
      .poll(async () => {
        const answer = await ask("/api/proof/pack", tokens.vela);
        await answer.arrayBuffer();
        return answer.status;
      })
      .toBe(200);
  });
});

it("the CSV has what the search finds, for its reader", async () => {
  const lines = async (token: string, query = ""): Promise<readonly string[]> =>
    (await (await ask(`/api/proof.csv${query}`, token)).text()).trim().split("\n");
  expect((await lines(tokens.operator)).length).toBe(4);
  const [head, ...own] = await lines(tokens.acme, "?standing=proven");
  expect(head).toMatch(/^returned,ended,standing,says,certificate/);
  expect(own).toEqual([expect.stringMatching(/proven.*C-\d+.*of-gpu-1/)]);
  expect(await lines(tokens.operator, "?text=VELA5")).toHaveLength(2);
  expect((await ask("/api/proof.csv?month=x", tokens.operator)).status).toBe(400);
  expect((await ask("/api/proof.csv", null)).status).toBe(401);
});

describe("a file that somebody has", () => {
  it("is checked as `reclaim verify` does, with the keys of this site", async () => {
    const bytes = await pack(tokens.auditor, "?text=gpu-1&pdf=false");
    expect(await check(tokens.auditor, bytes)).toMatchObject({
      ...{ kind: "pack", verdict: "holds", exit: 0, faults: [] },
      lines: expect.arrayContaining(["1 of 1 hold."]),
    });
    const changed = Buffer.from(bytes);
    changed[600] = (changed[600] ?? 0) ^ 1;
    expect(await check(tokens.operator, changed)).toMatchObject({ verdict: "tampered", exit: 9 });
    const [{ id } = { id: "" }] = await server.backend.database.certificate.findMany({
      where: { kind: "receipt", tenantId: server.world.tenants.acme },
      select: { id: true },
    });
    const receipt = await ask(`/api/certificates/${id}`, tokens.acme);
    expect(receipt.headers.get("content-type")).toBe(bundleMediaType);
    const bundle = Buffer.from(await receipt.arrayBuffer());
    expect(await check(tokens.acme, bundle)).toMatchObject({
      kind: "certificate",
      verdict: "holds",
      exit: 0,
    });
    expect(await check(tokens.acme, Buffer.from(sampleBundle().bundle))).toMatchObject({
      ...{ kind: "certificate", verdict: "tampered" },
    });
    const pdf = Buffer.from(await (await ask(`/api/certificates/${id}.pdf`, tokens.acme)).arrayBuffer());
    if (pdf.subarray(0, 5).toString() === "%PDF-")
      expect(await check(tokens.acme, pdf)).toMatchObject({ kind: "pdf", verdict: "holds" });
  });
  it("is refused from nobody, from another page, and if it is too large; junk does not hold", async () => {
    const nobody = await fetch(`${server.url}/api/proof/check`, { method: "POST", body: "x" });
    expect(nobody.status).toBe(401);
    expect(await check(tokens.repair, Buffer.from("junk"))).toMatchObject({ verdict: "tampered", exit: 9 });
    expect(await check(tokens.repair, Buffer.alloc(0))).toMatchObject({ verdict: "tampered" });
    expect(await check(tokens.repair, Buffer.alloc(17 * 1024 * 1024, "x"))).toMatchObject({
      ...{ status: 400, detail: expect.stringContaining("16 MiB") },
    });
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST /api/proof/check HTTP/1.1\r\nhost: reclaim.test\r\ncontent-length: ${maxCheckedBytes + 1}\r\n\r\n`,
    );
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });
});
