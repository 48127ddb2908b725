// For integration tests: procedures, live stream and machine surfaces on one port over real HTTP, as in the server, but without the pages.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import type { Pool } from "pg";
import pino from "pino";
import { CommandHub } from "@/server/agents/command-hub";
import { loadServerConfig } from "@/server/config";
import { createHotPool } from "@/server/db/hot/pool";
import { LiveFeed } from "@/server/db/feed/live-feed";
import type { Role } from "@/server/domain/access/roles";
import { createMetrics } from "@/server/metrics/registry";
import { createFront } from "@/server/surfaces/http/front";
import { defaultLinger } from "@/server/surfaces/http/linger";
import { liveResponse } from "@/server/surfaces/live/live-response";
import { StreamLimit } from "@/server/surfaces/live/stream-limit";
import { createMachineServer, type MachineServerDeps } from "@/server/surfaces/machine/machine-server";
import { trpcResponse } from "@/server/surfaces/trpc/trpc-response";
import { certificateResponse } from "@/server/surfaces/web/certificates/certificate-file";
import { certificatesCsvResponse } from "@/server/surfaces/web/csv/certificates-csv";
import { proofCsvResponse } from "@/server/surfaces/web/csv/proof-csv";
import { checkResponse } from "@/server/surfaces/web/proof/check-file";
import { packResponse } from "@/server/surfaces/web/proof/pack-file";
import { downloadResponse } from "@/server/surfaces/web/evidence/download";
import { uploadResponse } from "@/server/surfaces/web/evidence/upload";
import { RateLimit } from "@/server/surfaces/http/rate-limit";
import type { WebBackend } from "@/server/surfaces/web/web-backend";
import type { Actor } from "@/server/usecases/actor";
import { newApiToken, tokenHash } from "@/server/domain/access/tokens";
import { createWorld, type World } from "@/server/usecases/testing/world";

export interface ConsoleServer {
  readonly url: string;
  readonly port: number;
  readonly world: World;
  readonly backend: WebBackend;
  /** The pool of the hot statements. */
  readonly pool: Pool;
  /** A new token for somebody with the role. With `expiresAt` in the past it has already expired. */
  token(who: Role | Actor, expiresAt?: Date): Promise<string>;
  /** Cuts every connection, as a restarting server does, but keeps listening. */
  cutConnections(): void;
  stop(): Promise<void>;
}

export const sessionSecret = "s".repeat(40);

/** @param given a world that others create and end; omitted: its own */
export async function startConsoleServer(given: World | null = null): Promise<ConsoleServer> {
  const world = given ?? (await createWorld());
  const backend = webBackendOf(world);
  const pool = createHotPool(world.url, { max: 4, applicationName: "test" });
  const hub = new CommandHub({
    databaseUrl: world.url,
    pool,
    log: () => undefined,
    onWaiting: () => undefined,
  });
  await hub.start();
  const surfaces = await startSurfaces({ pool, backend, hub });
  const server = createServer(
    createFront({
      machine: surfaces.answer,
      pages: (request, response) => answerPage(backend, request, response),
      trustedProxies: backend.config.trustedProxies,
      // Server and client are one process here, which a busy machine may stop for longer than a caller may be silent.
      linger: { ...defaultLinger, idleMs: 120_000, totalMs: 120_000 },
    }),
  );
  // As a server in use (`RECLAIM_KEEP_ALIVE_MS`), and more: a connection that ends while a busy client sends is no answer.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    world,
    backend,
    pool,
    token: (who, expiresAt) => addToken(world, who, expiresAt),
    cutConnections: () => server.closeAllConnections(),
    stop: async () => {
      server.close();
      await surfaces.close();
      server.closeAllConnections();
      await backend.feed.close();
      await hub.close();
      await pool.end();
      if (given === null) await world.stop();
    },
  };
}

function webBackendOf(world: World): WebBackend {
  return {
    ...world.backend,
    config: loadServerConfig({
      DATABASE_URL: world.url,
      RECLAIM_CHECK_ANSWERS: "1",
      NEXTAUTH_SECRET: sessionSecret,
      RECLAIM_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    }),
    logger: pino({ level: "silent" }),
    feed: new LiveFeed(world.backend.database, world.url, () => undefined),
    streams: new StreamLimit(),
    rate: new RateLimit({ burst: 4000, perSecond: 1000, most: 100 }),
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Surfaces {
  readonly answer: Answer;
  readonly close: () => Promise<void>;
}

/** The machine surfaces without a port of their own. */
async function startSurfaces({
  pool,
  backend,
  hub,
}: Pick<MachineServerDeps, "pool" | "hub"> & { readonly backend: WebBackend }): Promise<Surfaces> {
  let machine: Answer = (_request, response) => void response.writeHead(503).end();
  const app = createMachineServer({
    pool,
    backend,
    hub,
    metrics: createMetrics(),
    logger: backend.logger,
    wake: () => undefined,
    controllerTrouble: () => null,
    now: () => performance.now(),
    settings: {
      baseUrl: "http://reclaim.test",
      machineUrl: "http://reclaim.test",
      bootImageUrl: "http://images.test/agent",
      longPollMs: 1_000,
      metricsToken: undefined,
      ironicNoauth: false,
      trustedProxies: [],
      bmcNetworks: [],
    },
    serverFactory: (handler) => {
      machine = handler;
      return createServer();
    },
  });
  await app.ready();
  return {
    answer: (request, response) => machine(request, response),
    close: async () => {
      await app.close();
    },
  };
}

function answerPage(backend: WebBackend, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? "/";
  const handler = path.startsWith("/api/trpc/")
    ? trpcResponse
    : path.startsWith("/api/live")
      ? liveResponse
      : path.startsWith("/api/evidence")
        ? evidenceResponse
        : path.startsWith("/api/certificates")
          ? certificatesResponse
          : path.startsWith("/api/proof")
            ? proofResponse
            : null;
  if (handler === null) return void response.writeHead(404).end();
  answerWith(request, response, (asked) => handler(backend, asked)).catch(() => response.destroy());
}

/** As in Next's routes. */
const evidenceResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  request.method === "POST"
    ? uploadResponse(backend, request)
    : downloadResponse(backend, request, new URL(request.url).pathname.split("/").at(-1) ?? "");

const proofResponse = (backend: WebBackend, request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url);
  if (pathname === "/api/proof.csv") return proofCsvResponse(backend, request);
  return pathname === "/api/proof/check" ? checkResponse(backend, request) : packResponse(backend, request);
};

const certificatesResponse = (backend: WebBackend, request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url);
  return pathname.endsWith(".csv")
    ? certificatesCsvResponse(backend, request)
    : certificateResponse(backend, request, pathname.split("/").at(-1) ?? "");
};

async function addToken(world: World, who: Role | Actor, expiresAt: Date | undefined): Promise<string> {
  const token = newApiToken();
  const { personId } = typeof who === "string" ? world.actor(who) : who;
  await world.backend.database.apiToken.create({
    data: {
      id: randomUUID(),
      hash: tokenHash(token),
      name: "test",
      personId,
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
  });
  return token;
}

/** Adapts a route handler to Node's request and response. Its signal ends with the connection, as in Next. */
async function answerWith(
  request: IncomingMessage,
  response: ServerResponse,
  handler: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const method = request.method ?? "GET";
  const init: RequestInit & { duplex: "half" } = { method, headers, signal: gone.signal, duplex: "half" };
  if (method !== "GET") init.body = bodyOf(request);
  const answer = await handler(
    new Request(`http://${request.headers.host ?? "localhost"}${request.url ?? "/"}`, init),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body !== null) for await (const piece of answer.body) response.write(piece);
  response.end();
}

/** Is read only as far as the handler reads, and a handler that cancels it closes the connection: as in Next. */
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = request[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const piece = await pieces.next();
        if (piece.done === true) controller.close();
        else controller.enqueue(piece.value);
      },
      cancel: async () => void (await pieces.return?.()),
    },
    { highWaterMark: 0 },
  );
}
