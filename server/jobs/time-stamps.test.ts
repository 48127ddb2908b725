// Time stamps of a real authority: openssl, behind an address of this test.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stampTimeAt } from "@/server/jobs/time-stamps";

const folder = mkdtempSync(join(tmpdir(), "tsa-"));
const openssl = (...args: readonly string[]): string =>
  execFileSync("openssl", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content);
let denies = false;
const server = createServer((request, response) => {
  void buffer(request).then((query) => {
    put("query", denies ? Buffer.from("3003020101", "hex") : query);
    openssl("ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query", "-out", "reply");
    response.end(readFileSync(join(folder, "reply")));
  });
});
let url = "";
beforeAll(async () => {
  put(
    "tsa.cnf",
    "[tsa]\ndefault_tsa=t\n[t]\nserial=serial\nsigner_cert=cert.pem\nsigner_key=key.pem\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256\n[req]\ndistinguished_name=d\n[d]\n",
  );
  put("serial", "01\n");
  const use = "extendedKeyUsage=critical,timeStamping";
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem"];
  openssl(
    "req",
    "-x509",
    "-config",
    "tsa.cnf",
    ...key,
    "-out",
    "cert.pem",
    "-subj",
    "/CN=tsa",
    "-addext",
    use,
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

it("are of the bytes, as openssl checks them", async () => {
  const errors: unknown[] = [];
  const token = await stampTimeAt(url, (error) => void errors.push(error))(Buffer.from("signature"));
  expect(errors).toEqual([]);
  put("stamp", token ?? "");
  put("data", "signature");
  const verify = ["ts", "-verify", "-in", "stamp", "-data", "data", "-CAfile", "cert.pem"];
  expect(() => openssl(...verify)).not.toThrow();
  put("data", "signaturf");
  expect(() => openssl(...verify)).toThrow();
});

it("are left out where none is configured, and where the authority refuses, which it is not asked again at once", async () => {
  expect(await stampTimeAt(null, () => undefined)(Buffer.from("x"))).toBeNull();
  denies = true;
  const errors: unknown[] = [];
  const stamp = stampTimeAt(url, (error) => void errors.push(error));
  expect([await stamp(Buffer.from("x")), await stamp(Buffer.from("x"))]).toEqual([null, null]);
  expect(errors).toHaveLength(1);
});
