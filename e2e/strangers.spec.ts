// What a stranger may send: bodies of any length to any path, and endless sign-ins. The console stays fast for signed-in users.
// The last file (Playwright runs files in the order of their names): after the flood, no new user can sign in from this address for 15 minutes.
import { execFileSync } from "node:child_process";
import { request as httpRequest } from "node:http";
import { request, type APIRequestContext } from "@playwright/test";
import { z } from "zod";
import { sessionOf } from "@/e2e/fixtures/session";
import { baseUrl, loginOf, serverPid } from "@/e2e/fixtures/system";
import { expect, test } from "@/e2e/fixtures/test";

const mebibyte = 1024 * 1024;

/** Sends until told to stop or cut off; returns the status and the number of bytes sent. */
function pour(
  path: string,
  method: string,
  declared: boolean,
): Promise<{ status: number | null; wrote: number }> {
  const bytes = 400 * mebibyte;
  const piece = Buffer.alloc(64 * 1024, "a=b&");
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let status: number | null = null;
    let wrote = 0;
    const length = declared ? { "content-length": String(bytes) } : { "transfer-encoding": "chunked" };
    const sent = httpRequest({
      hostname,
      port,
      path,
      method,
      agent: false,
      headers: { "content-type": "application/x-www-form-urlencoded", ...length },
    });
    const more = (): void => {
      for (let full = false; !full && wrote < bytes && !sent.destroyed; wrote += piece.length)
        full = !sent.write(piece);
    };
    sent
      .on("drain", more)
      .on("error", () => undefined)
      .on("close", () => resolve({ status, wrote }));
    sent.on("response", (response) => {
      status = response.statusCode ?? null;
      response.resume();
    });
    more();
  });
}

/** Resident memory of the server's process, in MiB. */
const held = (): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(serverPid())], { encoding: "utf8" })) / 1024;

test("bodies without end are refused at every address", async () => {
  const addresses = [
    ["/api/auth/callback/credentials", "POST"],
    ["/api/auth/signin", "POST"],
    ["/api/trpc/session.me", "POST"],
    ["/", "POST"],
    ["/signin", "PUT"],
    ["/hosts", "GET"],
    ["/v1/nodes", "POST"],
    ["/agent/v1/register", "POST"],
    ["/boot/ipxe", "POST"],
    ["/v2/org/acme/nico/instance", "POST"],
  ] as const;
  const before = held();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, held())), 100);
  const answers = await Promise.all(
    addresses.flatMap(([path, method]) =>
      [true, false].map((declared) => pour(path, method, declared).then((answer) => ({ path, ...answer }))),
    ),
  );
  clearInterval(watch);
  expect(most - before, "MiB").toBeLessThan(200);
  for (const { path, status, wrote } of answers) {
    // A client that does not read while it writes may see the connection reset instead of the response.
    expect([null, 401, 404, 405, 413, 415], path).toContain(status);
    expect(wrote, path).toBeLessThan(400 * mebibyte);
  }
});

/** The median, in ms. */
const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.POSITIVE_INFINITY;

async function timeReads(api: APIRequestContext, until: () => boolean): Promise<readonly number[]> {
  const took: number[] = [];
  while (!until()) {
    const from = performance.now();
    expect((await api.get("/api/trpc/session.me")).status()).toBe(200);
    took.push(performance.now() - from);
  }
  return took;
}

test("fifteen hundred wrong passwords in five seconds leave others their console", async () => {
  const reader = await request.newContext({ baseURL: baseUrl, storageState: await sessionOf("auditor") });
  const csrf = await fetch(`${baseUrl}/api/auth/csrf`);
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(await csrf.json());
  const cookie = csrf.headers
    .getSetCookie()
    .map((text) => text.split(";")[0])
    .join("; ");
  const { email } = loginOf("repairTenantAdmin");
  const attempt = (name: string): Promise<number> => {
    const body = new URLSearchParams({ csrfToken, email: name, password: "wrong", json: "true" });
    return fetch(`${baseUrl}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { cookie },
      body,
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
  };
  const attempts: Promise<number>[] = [];
  let over = false;
  const reads = timeReads(reader, () => over);
  for (let tick = 0; tick < 50; tick += 1) {
    for (let each = 0; each < 30; each += 1)
      attempts.push(attempt(each % 2 === 0 ? email : `${tick}-${each}@nobody.test`));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  over = true;
  const took = await reads;
  const answers = new Set(await Promise.all(attempts));
  await reader.dispose();
  test.info().annotations.push({
    type: "reads",
    description: `${took.length}, median ${Math.round(median(took))} ms`,
  });
  expect([...answers].filter((status) => ![401, 503].includes(status))).toEqual([]);
  expect(median(took)).toBeLessThan(1_000);
});
