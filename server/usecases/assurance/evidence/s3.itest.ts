// Evidence files in a real S3 service, OpenStack Swift, which checks signatures and digests of bodies (Debian: python3-swift; .ci/run installs it).
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { pruneEvidence } from "@/server/db/evidence/prune";
import { s3Store } from "@/server/db/evidence/s3-store";
import { signV4 } from "@/server/db/evidence/signature-v4";
import { inTransaction } from "@/server/db/transaction";
import { poolOf } from "@/server/db/prisma";
import type { Backend } from "@/server/usecases/backend";
import {
  endEvidenceHold,
  holdEvidence,
  keepEvidence,
} from "@/server/usecases/assurance/evidence/hold-evidence";
import { putEvidence } from "@/server/usecases/assurance/evidence/put-evidence";
import { readEvidence } from "@/server/usecases/assurance/evidence/read-evidence";
import { done } from "@/server/usecases/problem";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const python = "/usr/bin/python3";
const program = fileURLToPath(new URL("../../../../scripts/testing/s3/serve.py", import.meta.url));
const hasSwift = spawnSync(python, ["-c", "import swift.proxy.server"]).status === 0;

const keys = { region: "us-east-1", accessKey: "acme:reclaim", secretKey: "sesame" };
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const folder = mkdtempSync(join(tmpdir(), "s3-"));
let swift: ChildProcess | undefined;
let bucket = "";
let world: World;

async function start(): Promise<void> {
  const child = spawn(python, [program, folder, "evidence", keys.accessKey, keys.secretKey], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  swift = child;
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  bucket = line;
}

beforeAll(async () => {
  [world] = await Promise.all([createWorld(), hasSwift ? start() : undefined]);
});
afterAll(async () => {
  swift?.kill();
  await world.stop();
  rmSync(folder, { recursive: true });
});

const store = (over: Partial<Parameters<typeof s3Store>[0]> = {}): BlobStore =>
  s3Store({ url: bucket, ...keys, ...over });
const read = async (from: BlobStore, digest: string): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of from.read(digest)) pieces.push(piece);
  return Buffer.concat(pieces);
};
const put = (of: BlobStore, bytes: Uint8Array) => of.put(sha256(bytes), bytes);

// A skipped test fails `npm test`, which must also run without Debian's packages.
const withSwift = hasSwift ? describe : () => undefined;
if (!hasSwift)
  it("is NOT TESTED without OpenStack Swift (Debian: apt-get install python3-swift)", () => {
    console.warn("NOT TESTED: evidence in an S3 service. Debian: apt-get install python3-swift");
    expect(hasSwift).toBe(false);
  });

withSwift("a content", () => {
  const photo = Buffer.alloc(3_000_000, "photo of an unplugged host ");

  it.each(["", "/of a+b (c)='d'!*@é&,;:$"])("comes back as it was stored, in a folder %j", async (inside) => {
    const there = store({ url: `${bucket}${inside}` });
    for (const bytes of [photo, Buffer.from("x")]) {
      await put(there, bytes);
      await put(there, bytes);
      expect((await read(there, sha256(bytes))).equals(bytes)).toBe(true);
    }
    await there.remove(sha256(photo));
    await there.remove(sha256(photo));
    await expect(read(there, sha256(photo))).rejects.toThrow("responded to GET with 404");
  });

  it.each([
    ["another secret", { secretKey: "guessed" }],
    ["another key", { accessKey: "acme:other" }],
    ["another region", { region: "eu-north-1" }],
  ])("is neither stored nor read nor removed with %s", async (_what, over) => {
    const bytes = Buffer.from("kept from others\n");
    await put(store(), bytes);
    const stranger = store(over);
    for (const tried of [
      () => put(stranger, bytes),
      () => read(stranger, sha256(bytes)),
      () => stranger.remove(sha256(bytes)),
    ]) {
      const error: unknown = await tried().catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(/responded to (PUT|GET|DELETE) with 40[03]/);
      expect(String(error)).not.toContain(keys.secretKey);
    }
    expect(await read(store(), sha256(bytes))).toEqual(bytes);
  });

  it("is not stored that is not the one of its digest", async () => {
    await expect(store().put(sha256(Buffer.from("a")), Buffer.from("b"))).rejects.toThrow("with 400");
    await expect(read(store(), sha256(Buffer.from("a")))).rejects.toThrow("with 404");
  });

  it("is not stored of which only a part came", async () => {
    const url = new URL(`${bucket}/${sha256(photo)}`);
    const headers = signV4({ method: "PUT", url, bodySha256: sha256(photo), at: new Date() }, keys);
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, "connect");
    const lines = Object.entries({ host: url.host, "content-length": photo.length, ...headers });
    socket.write(`PUT ${url.pathname} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join("")}\r\n`);
    socket.end(photo.subarray(0, 1_000_000));
    await buffer(socket);
    await expect(read(store(), sha256(photo))).rejects.toThrow("with 404");
  });
});

withSwift("a file of evidence", () => {
  const backend = (): Backend => ({ ...world.backend, evidenceStore: store() });
  const bring = (bytes: Uint8Array) =>
    putEvidence(backend(), world.actor("operator"), world.request(), {
      name: "drain.log",
      declaredType: "text/plain",
      bytes,
    });
  const get = async (bytes: Uint8Array) => {
    const file = await readEvidence(backend(), world.actor("auditor"), world.request(), {
      sha256: sha256(bytes),
    });
    if (!file.ok) return file.problem.code;
    const pieces: Uint8Array[] = [];
    for await (const piece of file.value.pieces) pieces.push(piece);
    return Buffer.concat(pieces).toString("utf8");
  };
  const places = (place: string) => (place === "s3" ? store() : undefined);

  it("stays as long as a record rests on it or it is held; then its object goes, too", async () => {
    const [kept, held, loose] = ["kept\n", "held\n", "loose\n"].map((text) => Buffer.from(text));
    if (kept === undefined || held === undefined || loose === undefined) throw new Error("no files");
    for (const bytes of [kept, held, loose]) expect(await bring(bytes)).toMatchObject({ ok: true });
    expect(await get(kept)).toBe("kept\n");
    const pool = poolOf(world.backend.database);
    expect(await pool.query("SELECT 1 FROM evidence_chunk")).toMatchObject({ rowCount: 0 });
    await inTransaction(world.backend.database, async (tx) =>
      done(await keepEvidence(tx, world.actor("operator"), [sha256(kept)])),
    );
    const hold = { sha256: sha256(held), reason: "case 7" };
    await holdEvidence(backend(), world.actor("provider-admin"), world.request(), hold);
    await pool.query("UPDATE evidence_file SET uploaded_at = now() - interval '8 days'");
    await pool.query("UPDATE evidence_blob SET touched_at = now() - interval '8 days'");
    await pruneEvidence(world.backend.database, places);
    expect([await get(kept), await get(held), await get(loose)]).toEqual(["kept\n", "held\n", "notFound"]);
    await expect(read(store(), sha256(loose))).rejects.toThrow("with 404");
    await endEvidenceHold(backend(), world.actor("provider-admin"), world.request(), hold);
    await pruneEvidence(world.backend.database, places);
    await expect(read(store(), sha256(held))).rejects.toThrow("with 404");
    expect(await get(kept)).toBe("kept\n");
  });

  it("that was changed in the service is not given out whole", async () => {
    const bytes = Buffer.from("S1,passed\n");
    await bring(bytes);
    const changed = Buffer.from("S1,failed\n");
    const url = new URL(`${bucket}/${sha256(bytes)}`);
    const headers = signV4({ method: "PUT", url, bodySha256: sha256(changed), at: new Date() }, keys);
    expect(await fetch(url, { method: "PUT", headers, body: new Uint8Array(changed) })).toMatchObject({
      ok: true,
    });
    await expect(get(bytes)).rejects.toThrow("were changed");
  });

  it("is brought and read again when the service answers again; until then each is told so, and nothing is half stored", async () => {
    const bytes = Buffer.from("brought later\n");
    const down: Backend = { ...world.backend, evidenceStore: store({ url: "http://127.0.0.1:1/evidence" }) };
    const file = { name: "drain.log", declaredType: "text/plain", bytes };
    expect(await putEvidence(down, world.actor("operator"), world.request(), file)).toMatchObject({
      problem: { code: "unavailable", detail: expect.stringContaining("does not respond to PUT") as unknown },
    });
    expect(await get(bytes)).toBe("notFound");
    expect(await bring(bytes)).toMatchObject({ ok: true });
    const asked = { sha256: sha256(bytes) };
    expect(await readEvidence(down, world.actor("auditor"), world.request(), asked)).toMatchObject({
      problem: { code: "unavailable" },
    });
    expect(await get(bytes)).toBe("brought later\n");
  });
});
