// What a sign-in answers over HTTP, through next-auth. While the database is down nobody is told that the password is wrong, or what the driver says.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import NextAuth from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { loadServerConfig } from "@/server/config";
import { hashPassword } from "@/server/db/secrets/passwords";
import { signInLimits } from "@/server/domain/access/sign-in-limits";
import { LiveFeed } from "@/server/db/feed/live-feed";
import { createDatabase } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { StreamLimit } from "@/server/surfaces/live/stream-limit";
import { createFront } from "@/server/surfaces/http/front";
import { signInAdmission } from "@/server/surfaces/web/admit-sign-in";
import { authOptions } from "@/server/surfaces/web/auth-options";
import { RateLimit } from "@/server/surfaces/http/rate-limit";
import type { WebBackend } from "@/server/surfaces/web/web-backend";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const secret = "s".repeat(40);
/** Nothing listens on port 1. */
const nowhere = "postgresql://somebody:secret@127.0.0.1:1/hidden_name";
let world: World;
let away: Database;
const servers: Server[] = [];
beforeAll(async () => {
  world = await createWorld();
  away = createDatabase(nowhere, { max: 1, applicationName: "test" });
});
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await away.$disconnect();
  await world.stop();
});

const cookiesOf = (header: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (header ?? "")
      .split("; ")
      .map((pair) => [
        pair.slice(0, pair.indexOf("=")),
        decodeURIComponent(pair.slice(pair.indexOf("=") + 1)),
      ]),
  );

/** next-auth's handler for Node's requests. Next's own routes only work inside Next. */
async function answerAuth(
  backend: WebBackend,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const handle: (request: object, response: object) => Promise<void> = NextAuth(
    authOptions(backend, CredentialsProvider, (cookie) => response.appendHeader("set-cookie", cookie)),
  );
  const body = Object.fromEntries(new URLSearchParams(await text(request)));
  const nextauth = (request.url ?? "").replace("/api/auth/", "").split("/");
  const end = (answer: unknown) => response.end(JSON.stringify(answer));
  const status = (code: number) => Object.assign(response, { statusCode: code });
  await handle(
    Object.assign(request, { query: { nextauth }, cookies: cookiesOf(request.headers.cookie), body }),
    Object.assign(response, { status, json: end, send: end }),
  );
}

/** The front and next-auth on one port, as in the server. @returns its address */
async function serve(database: Database, admitted: Database): Promise<string> {
  const config = loadServerConfig({
    DATABASE_URL: nowhere,
    NEXTAUTH_SECRET: secret,
    RECLAIM_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
  });
  const feed = new LiveFeed(database, nowhere, () => undefined);
  const rate = new RateLimit({ burst: 10, perSecond: 10, most: 10 });
  const backend: WebBackend = {
    ...world.backend,
    database,
    config,
    logger: pino({ level: "silent" }),
    feed,
    streams: new StreamLimit(),
    rate,
  };
  const front = createFront({
    machine: (_request, response) => void response.writeHead(404).end(),
    admitSignIn: signInAdmission(admitted),
    trustedProxies: [],
    pages: (request, response) => {
      answerAuth(backend, request, response).catch((error: unknown) =>
        response.writeHead(500).end(String(error)),
      );
    },
  });
  const server = createServer(front).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/api/auth`;
}

interface SignInResponse {
  readonly status: number;
  readonly error: string | null;
  readonly body: string;
  /** The cookie of the browser, if the response sets one. */
  readonly device: string | undefined;
}

/** Signs in as the form does. @param device the cookie that the browser kept */
async function signIn(
  url: string,
  { email = "ada@example.com", password = "wrong", device = "" } = {},
): Promise<SignInResponse> {
  const csrf = await fetch(`${url}/csrf`);
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(await csrf.json());
  const cookie = csrf.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  const answer = await fetch(`${url}/callback/credentials`, {
    method: "POST",
    headers: { cookie: device === "" ? cookie : `${cookie}; ${device}` },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  const body = await answer.text();
  const told = z.object({ url: z.url() }).parse(JSON.parse(body));
  return {
    status: answer.status,
    error: new URL(told.url).searchParams.get("error"),
    body,
    device: answer.headers
      .getSetCookie()
      .find((set) => set.startsWith("reclaim-device="))
      ?.split(";")[0],
  };
}

it("says that a password is wrong where it was compared", async () => {
  const { database } = world.backend;
  expect(await signIn(await serve(database, database))).toMatchObject({
    status: 401,
    error: "CredentialsSignin",
  });
});

it("says that the database cannot be reached, whoever finds it out", async () => {
  const { database } = world.backend;
  // The front asks at most once a minute whether an address is known, so next-auth may be the first to miss the database.
  for (const admitted of [away, database]) {
    const answer = await signIn(await serve(away, admitted));
    expect(answer).toMatchObject({ error: "NoDatabase" });
    expect(answer.body).not.toMatch(/prisma|person|127\.0\.0\.1:1\b|hidden_name|somebody/i);
  }
});

it("lets a person in from the browser that they used before, while a flood at the same address names them", async () => {
  const { database } = world.backend;
  const url = await serve(database, database);
  const password = "correct horse";
  const passwordHash = await hashPassword(password);
  const person = () =>
    database.person.create({
      data: { email: `${randomUUID()}@example.com`, name: "Person", role: "operator", passwordHash },
    });
  const { email } = await person();
  const other = await person();
  const { device, error } = await signIn(url, { email, password });
  expect(error).toBeNull();
  expect(device).toMatch(/^reclaim-device=/);
  for (let attempt = 0; attempt <= signInLimits.perOwnAddress; attempt += 1) await signIn(url, { email });
  expect(await signIn(url, { email, password })).toMatchObject({ error: "RateLimited", device: undefined });
  const forged = `${device?.slice(0, -2)}AA`;
  expect(await signIn(url, { email, password, device: forged })).toMatchObject({ error: "RateLimited" });
  const { device: others } = await signIn(url, { email: other.email, password });
  expect(await signIn(url, { email, password, device: `${others}` })).toMatchObject({ error: "RateLimited" });
  expect(await signIn(url, { email, password, device: `${device}` })).toMatchObject({ error: null });
  // Guesses in that browser are limited, too.
  for (let attempt = 0; attempt <= signInLimits.perDevice; attempt += 1)
    await signIn(url, { email, device: `${device}` });
  expect(await signIn(url, { email, password, device: `${device}` })).toMatchObject({ error: "RateLimited" });
});
