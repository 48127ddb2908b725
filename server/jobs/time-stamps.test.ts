// Time stamps of a real authority: openssl, behind an address of this test.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTimeStampAuthority } from "@/server/jobs/testing/time-stamp-authority";
import type { TimeStampAuthority } from "@/server/jobs/testing/time-stamp-authority";
import { stampTimeAt } from "@/server/jobs/time-stamps";

let authority: TimeStampAuthority;
let denies = false;
const server = createServer((request, response) => {
  void buffer(request).then((query) => {
    response.end(authority.reply(denies ? Buffer.from("3003020101", "hex") : query));
  });
});
let url = "";
beforeAll(async () => {
  authority = createTimeStampAuthority();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
  authority.remove();
});

it("are of the bytes, as openssl checks them", async () => {
  const errors: unknown[] = [];
  const token = await stampTimeAt(url, (error) => void errors.push(error))(Buffer.from("signature"));
  expect(errors).toEqual([]);
  expect(authority.verifies(token ?? Buffer.of(), Buffer.from("signature"))).toBe(true);
  expect(authority.verifies(token ?? Buffer.of(), Buffer.from("signaturf"))).toBe(false);
});

it("are left out where none is configured, and where the authority refuses, which it is not asked again at once", async () => {
  expect(await stampTimeAt(null, () => undefined)(Buffer.from("x"))).toBeNull();
  denies = true;
  const errors: unknown[] = [];
  const stamp = stampTimeAt(url, (error) => void errors.push(error));
  expect([await stamp(Buffer.from("x")), await stamp(Buffer.from("x"))]).toEqual([null, null]);
  expect(errors).toHaveLength(1);
});
