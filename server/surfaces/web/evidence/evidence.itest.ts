// Evidence files over HTTP: who may upload and read them, and that hostile content only ever comes back as an attachment.
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { databaseStore } from "@/server/db/evidence/blob-store";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { pruneEvidence } from "@/server/db/evidence/prune";
import { poolOf } from "@/server/db/prisma";
import { inTransaction } from "@/server/db/transaction";
import { maxEvidenceBytes } from "@/server/domain/assurance/evidence/file-type";
import { startConsoleServer } from "@/server/surfaces/web/testing/console-server";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import {
  endEvidenceHold,
  holdEvidence,
  keepEvidence,
} from "@/server/usecases/assurance/evidence/hold-evidence";
import { listEvidence } from "@/server/usecases/assurance/evidence/read-evidence";
import { getCertificate, listCertificates } from "@/server/usecases/assurance/certificates/certificates";
import { done } from "@/server/usecases/problem";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(700_000, "x")]);

let server: ConsoleServer;
let tokens: Record<"operator" | "repair" | "other" | "tenant" | "auditor", string>;
beforeAll(async () => {
  server = await startConsoleServer();
  tokens = {
    operator: await server.token("operator"),
    repair: await server.token("repair-tenant-admin"),
    other: await server.token({
      ...server.world.actor("repair-tenant-admin"),
      ...server.world.actor("tenant-admin"),
    }),
    tenant: await server.token("tenant-admin"),
    auditor: await server.token("auditor"),
  };
});
afterAll(() => server.stop());

const put = (
  token: string,
  bytes: Uint8Array,
  { name = "photo.png", type = "image/png", headers = {} } = {},
): Promise<Response> =>
  fetch(`${server.url}/api/evidence?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": type, ...headers },
    body: new Uint8Array(bytes),
  });
const get = (token: string, digest: string): Promise<Response> =>
  fetch(`${server.url}/api/evidence/${digest}`, { headers: { authorization: `Bearer ${token}` } });

describe("a file", () => {
  it("comes back as it was brought, as an attachment that no browser runs, and each reading is logged", async () => {
    const sent = await put(tokens.operator, png, { name: "../../rack 7/ac drain.html" });
    expect(sent.status).toBe(201);
    expect(await sent.json()).toEqual({
      sha256: sha256(png),
      name: "ac drain.html.png",
      type: "image/png",
      bytes: png.length,
    });
    const back = await get(tokens.auditor, sha256(png));
    expect(Object.fromEntries(back.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": expect.stringMatching(/^attachment; /),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    });
    expect(Buffer.from(await back.arrayBuffer()).equals(png)).toBe(true);
    expect(
      await server.backend.database.auditEvent.findMany({
        where: { targetId: sha256(png) },
        orderBy: { at: "asc" },
        select: { action: true, outcome: true },
      }),
    ).toEqual([
      { action: "evidence.upload", outcome: "done" },
      { action: "evidence.read", outcome: "done" },
    ]);
    expect(await poolOf(server.backend.database).query("SELECT n FROM evidence_chunk")).toMatchObject({
      rowCount: 3,
    });
  });
  it("is brought once, however often it is sent", async () => {
    expect(await (await put(tokens.operator, png, { name: "again.png" })).json()).toMatchObject({
      name: "ac drain.html.png",
    });
    expect(await server.backend.database.evidenceFile.count({ where: { sha256: sha256(png) } })).toBe(1);
  });
  it.each([
    ["a page", Buffer.from("<!doctype html><script>1</script>"), "text/plain"],
    ["a drawing with scripts", Buffer.from("<svg onload='x()'/>"), "image/svg+xml"],
    ["an archive", Buffer.from("504b0304140000000800", "hex"), "application/zip"],
    ["a picture that is none", Buffer.from("hello"), "image/png"],
  ])("is refused that is %s", async (_what, bytes, type) => {
    const answer = await put(tokens.operator, bytes, { type });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 400,
      body: { code: "invalid" },
    });
    expect(await get(tokens.operator, sha256(bytes))).toMatchObject({ status: 404 });
  });
  it("is refused that is too large, declared or not", async () => {
    const large = Buffer.alloc(maxEvidenceBytes + 1, "a");
    expect(await put(tokens.operator, large, { type: "text/plain" })).toMatchObject({ status: 413 });
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(large);
        controller.close();
      },
    });
    const uncounted: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { authorization: `Bearer ${tokens.operator}`, "content-type": "text/plain" },
      body: stream,
      duplex: "half",
    };
    const answer = await fetch(`${server.url}/api/evidence?name=x`, uncounted);
    expect({ status: answer.status, text: await answer.text() }).toMatchObject({
      status: 400,
      text: expect.stringContaining("at most 25 MiB"),
    });
  });
  it("that was changed in the database is not given out whole", async () => {
    const bytes = Buffer.from("serial,result\nS1,ok\n");
    await put(tokens.operator, bytes, { type: "text/csv" });
    await poolOf(server.backend.database).query("UPDATE evidence_chunk SET bytes = $1 WHERE sha256 = $2", [
      Buffer.from("serial,result\nS1,no\n"),
      sha256(bytes),
    ]);
    await expect(get(tokens.operator, sha256(bytes)).then((back) => back.text())).rejects.toThrow();
  });
});

describe("whose a file is", () => {
  const mine = Buffer.from("drained, 10 minutes\n");
  it("a repair tenant reads its own, and nobody else's or whether there is one", async () => {
    expect(await put(tokens.repair, mine, { type: "text/plain" })).toMatchObject({ status: 201 });
    expect(await get(tokens.repair, sha256(mine))).toMatchObject({ status: 200 });
    expect(await get(tokens.operator, sha256(mine))).toMatchObject({ status: 200 });
    const [foreign, none] = [await get(tokens.repair, sha256(png)), await get(tokens.repair, "0".repeat(64))];
    expect([foreign.status, none.status]).toEqual([404, 404]);
    expect(await put(tokens.tenant, mine)).toMatchObject({ status: 403 });
    expect(await get(tokens.tenant, sha256(mine))).toMatchObject({ status: 403 });
    expect(await put(tokens.auditor, mine)).toMatchObject({ status: 403 });
  });
  it("a tenant reads of no legal hold, which may be for another's content", async () => {
    const { world, backend } = server;
    const held = { sha256: sha256(mine), reason: "claim against acme" };
    await holdEvidence(backend, world.actor("provider-admin"), world.request(), held);
    const listed = async (role: "repair-tenant-admin" | "auditor") => {
      const found = await listEvidence(backend, world.actor(role), { ...held, cursor: null, limit: 9 });
      return found.ok ? found.value.rows.map(({ hold }) => hold?.reason ?? null) : found.problem;
    };
    expect(await listed("auditor")).toEqual([held.reason]);
    expect(await listed("repair-tenant-admin")).toEqual([null]);
    await endEvidenceHold(backend, world.actor("provider-admin"), world.request(), held);
  });
  it("is one, also where two bring it at once", async () => {
    const both = Buffer.from("brought twice\n");
    await put(tokens.repair, both, { type: "text/plain" });
    const pool = poolOf(server.backend.database);
    const other = await pool.connect();
    other.on("error", () => undefined);
    try {
      await other.query("BEGIN");
      await other.query(
        `INSERT INTO evidence_file (sha256, name, type, bytes, uploaded_by, uploaded_by_name) VALUES ($1, 'first.txt', 'text/plain', $2, gen_random_uuid(), 'x')`,
        [sha256(both), both.length],
      );
      const second = put(tokens.operator, both, { type: "text/plain" });
      await vi.waitFor(
        async () =>
          expect(
            await pool.query(
              "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
            ),
          ).toMatchObject({ rowCount: 1 }),
        { timeout: 120_000 },
      );
      await other.query("COMMIT");
      expect(await (await second).json()).toMatchObject({ name: "first.txt" });
    } finally {
      other.release();
    }
  });
  it("nobody brings one who is not signed in, or through another site's page", async () => {
    expect(await put("nobody", mine)).toMatchObject({ status: 401 });
    const cross = await fetch(`${server.url}/api/evidence?name=x`, {
      method: "POST",
      headers: { origin: "https://evil.example", "content-type": "text/plain" },
      body: "x",
    });
    expect(cross.status).toBe(401);
  });
  it("a tenant stores only so much that no record rests on", async () => {
    const pool = poolOf(server.backend.database);
    await pool.query(
      `INSERT INTO evidence_file (sha256, name, type, bytes, tenant_id, uploaded_by, uploaded_by_name)
       SELECT encode(sha256('full'), 'hex'), 'full', 'text/plain', 500 * 1024 * 1024, tenant_id, uploaded_by, uploaded_by_name
       FROM evidence_file WHERE tenant_id IS NOT NULL LIMIT 1`,
    );
    const more = Buffer.from("more\n");
    expect(await put(tokens.repair, more, { type: "text/plain" })).toMatchObject({ status: 409 });
    expect(await put(tokens.repair, mine, { type: "text/plain" })).toMatchObject({ status: 201 }); // stored already: it adds nothing
    expect(await put(tokens.operator, more, { type: "text/plain" })).toMatchObject({ status: 201 });
    await pool.query("DELETE FROM evidence_file WHERE name = 'full'");
  });
  it("a record rests only on files of who makes it", async () => {
    const { world, backend } = server;
    const keep = (role: "operator" | "repair-tenant-admin", digest: string) =>
      inTransaction(backend.database, async (tx) =>
        done(await keepEvidence(tx, world.actor(role), [digest])),
      );
    expect(await keep("operator", sha256(mine))).toMatchObject({ value: { missing: sha256(mine) } });
    expect(await keep("repair-tenant-admin", sha256(mine))).toMatchObject({
      value: { missing: null, files: [{ name: "photo.png.txt" }] },
    });
  });
});

describe("certificates", () => {
  it("are the provider's; a tenant reads its receipts, and no other's or whether there is one", async () => {
    const { world, backend } = server;
    const pool = poolOf(backend.database);
    const add = async (kind: string, tenantId: string | null): Promise<string> => {
      const id = randomUUID();
      await pool.query(
        `INSERT INTO certificate (id, reclamation_id, host_id, kind, type, statement, sha256, tenant_id, bundle, event_id, signed_at)
         VALUES ($1, gen_random_uuid(), gen_random_uuid(), $2, 'nonConformance', '{}', 'x', $3, $4, gen_random_uuid(), now())`,
        [id, kind, tenantId, `the bundle of ${id}`],
      );
      return id;
    };
    const own = world.actor("tenant-admin").tenantId;
    const other = world.actor("repair-tenant-admin").tenantId;
    const [whole, receipt, foreign] = [
      await add("certificate", null),
      await add("receipt", own),
      await add("receipt", other),
    ];
    const listed = async (role: "tenant-admin" | "auditor") => {
      const found = await listCertificates(backend, world.actor(role), { cursor: null, limit: 2 });
      if (!found.ok) throw new Error(found.problem.detail);
      const { rows, nextCursor } = found.value;
      const next = await listCertificates(backend, world.actor(role), { cursor: nextCursor, limit: 2 });
      return new Set(
        [...rows, ...(nextCursor === null || !next.ok ? [] : next.value.rows)].map(({ id }) => id),
      );
    };
    expect(await listed("tenant-admin")).toEqual(new Set([receipt]));
    expect(await listed("auditor")).toEqual(new Set([whole, receipt, foreign]));
    const ask = (path: string, token: string) =>
      fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const file = await ask(`/api/certificates/${receipt}`, tokens.tenant);
    expect({ disposition: file.headers.get("content-disposition"), text: await file.text() }).toEqual({
      disposition: expect.stringMatching(/^attachment; /),
      text: `the bundle of ${receipt}`,
    });
    expect(await ask(`/api/certificates/${whole}`, tokens.tenant)).toMatchObject({ status: 404 });
    expect(await ask(`/api/certificates/${whole}.pdf`, tokens.tenant)).toMatchObject({ status: 404 });
    expect(await ask("/api/certificates/x", tokens.tenant)).toMatchObject({ status: 400 });
    const lines = (await (await ask("/api/certificates.csv", tokens.tenant)).text()).trim().split("\n");
    expect(lines.map((line) => line.split(",")[0])).toEqual(["id", receipt]);
    expect(lines[0]?.split(",")).toContain("standing");
    const proven = await ask(
      "/api/certificates.csv?standing=proven&since=2020-01-01T00:00:00Z",
      tokens.tenant,
    );
    expect((await proven.text()).trim().split("\n")).toHaveLength(1);
    expect(await ask("/api/certificates.csv?standing=clean", tokens.tenant)).toMatchObject({ status: 400 });
    const some = await ask(`/api/certificates.csv?ids=${randomUUID()},${whole}`, tokens.tenant);
    expect((await some.text()).trim().split("\n")).toHaveLength(1);
    expect(await ask("/api/certificates.csv?ids=x", tokens.tenant)).toMatchObject({ status: 400 });
    const get = (id: string) => getCertificate(backend, world.actor("tenant-admin"), { id });
    expect(await get(receipt)).toMatchObject({ value: { bundle: `the bundle of ${receipt}` } });
    for (const id of [whole, foreign, randomUUID()])
      expect(await get(id)).toEqual({
        ok: false,
        problem: { code: "notFound", detail: `There is no certificate ${id}.` },
      });
  });
});

describe("what is old", () => {
  const stores = (): BlobStore => databaseStore(poolOf(server.backend.database));
  it("is stored anew where its removal broke off after the bytes", async () => {
    const bytes = Buffer.from("broken off\n");
    const { backend } = server;
    const pool = poolOf(backend.database);
    await put(tokens.operator, bytes, { type: "text/plain" });
    await pool.query("DELETE FROM evidence_file WHERE sha256 = $1", [sha256(bytes)]);
    await pool.query("UPDATE evidence_blob SET touched_at = now() - interval '8 days' WHERE sha256 = $1", [
      sha256(bytes),
    ]);
    const broken = (): BlobStore => ({
      ...stores(),
      remove: async (digest) => {
        await stores().remove(digest);
        throw new Error("the process ends");
      },
    });
    await expect(pruneEvidence(backend.database, broken)).rejects.toThrow("the process ends");
    expect(await put(tokens.operator, bytes, { type: "text/plain" })).toMatchObject({ status: 201 });
    expect(await (await get(tokens.operator, sha256(bytes))).text()).toBe("broken off\n");
  });
  it("goes after a week, unless a record rests on it or it is on legal hold", async () => {
    const { world, backend } = server;
    const pool = poolOf(backend.database);
    const [kept, held, loose, other] = ["kept", "held", "loose", "also held"].map((text) =>
      Buffer.from(`${text}\n`),
    );
    if (kept === undefined || held === undefined || loose === undefined || other === undefined)
      throw new Error("no files");
    for (const file of [kept, held, loose, other]) await put(tokens.operator, file, { type: "text/plain" });
    await inTransaction(backend.database, async (tx) =>
      done(await keepEvidence(tx, world.actor("operator"), [sha256(kept)])),
    );
    const admin = world.actor("provider-admin");
    const reason = "case 7";
    expect(
      await holdEvidence(backend, admin, world.request(), { sha256: sha256(held), reason }),
    ).toMatchObject({
      ok: true,
    });
    expect(
      await holdEvidence(backend, admin, world.request(), { sha256: sha256(held), reason }),
    ).toMatchObject({
      problem: { code: "conflict" },
    });
    await holdEvidence(backend, admin, world.request(), { sha256: sha256(other), reason });
    const again = Buffer.from("brought again\n");
    await put(tokens.operator, again, { type: "text/plain" });
    await pool.query("UPDATE evidence_file SET uploaded_at = now() - interval '8 days'");
    await pool.query("UPDATE evidence_blob SET touched_at = now() - interval '8 days'");
    await put(tokens.operator, again, { type: "text/plain" });
    await pruneEvidence(backend.database, stores);
    expect(await get(tokens.operator, sha256(again))).toMatchObject({ status: 200 });
    const left = async () =>
      (await pool.query<{ sha256: string }>("SELECT sha256 FROM evidence_blob")).rows.map(
        (row) => row.sha256,
      );
    expect(await left()).toEqual(expect.arrayContaining([sha256(kept), sha256(held)]));
    expect(await left()).not.toContain(sha256(loose));
    expect(await get(tokens.operator, sha256(loose))).toMatchObject({ status: 404 });
    await endEvidenceHold(backend, admin, world.request(), { sha256: sha256(held), reason });
    await pruneEvidence(backend.database, stores);
    expect(await left()).not.toContain(sha256(held));
    expect(await left()).toContain(sha256(other));
  });
});
