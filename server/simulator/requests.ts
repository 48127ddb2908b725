// Routes the requests to a simulated fleet, to a BMC, the site's network controller or the control interface, by the Host header.
import type { IncomingMessage, ServerResponse } from "node:http";
import { misbehave } from "@/server/simulator/bmc/bmc-faults";
import type { Service, Services } from "@/server/simulator/bmc/service/service";
import type { Desk } from "@/server/simulator/control/desk";
import type { ControlApi } from "@/server/simulator/control/control-api";
import type { HardwareTime } from "@/server/simulator/hardware-time";
import type { NetworkController } from "@/server/simulator/network/network-controller";

/** The parts that answer. */
export interface Answering {
  readonly services: Services;
  readonly network: NetworkController;
  readonly control: ControlApi;
  readonly desk: Desk;
  readonly time: HardwareTime;
  readonly networkToken: string;
  readonly controlToken: string;
  /** Gives access to the desk only. */
  readonly deskToken?: string | undefined;
}

/** How long a BMC takes for any answer, in hardware time. */
const bmcAnswerMs = 100;
const bodyLimitBytes = 1024 * 1024;

const noBody = Promise.resolve("");

/** Uses events: an iterator costs more than reading most requests. */
function bodyOf(request: IncomingMessage): Promise<string> {
  const { headers } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return noBody;
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    request.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > bodyLimitBytes) request.destroy(new Error("body too large"));
      else pieces.push(piece);
    });
    request.once("end", () => resolve(Buffer.concat(pieces).toString("utf8")));
    request.once("error", reject);
    request.once("close", () => {
      if (!request.complete) reject(new Error("the request broke off"));
    });
  });
}

function jsonOf(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Sends an answer, unless the caller is gone. */
export function send(
  response: ServerResponse,
  status: number,
  body: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  if (body === undefined) response.writeHead(status, headers).end();
  else {
    const bytes = Buffer.byteLength(body);
    response
      .writeHead(status, { "content-type": "application/json", "content-length": bytes, ...headers })
      // As many bytes as characters means that it needs no encoding.
      .end(body, bytes === body.length ? "latin1" : "utf8");
  }
}

const bearer = (request: IncomingMessage, token: string) =>
  request.headers.authorization === `Bearer ${token}`;

/** Answers one request to the fleet. */
export async function answerRequest(
  answering: Answering,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  const path = request.url ?? "/";
  const service = answering.services.at(name);
  if (service) return answerBmc(answering, service, request, response);
  if (name === "network.localhost") return answerNetwork(answering, path, request, response);
  if (path.startsWith("/network-controller/"))
    return answerNetwork(answering, path.slice("/network-controller".length), request, response);
  if (name === "control.localhost") return answerControl(answering, path, request, response);
  if (path.startsWith("/control/"))
    return answerControl(answering, path.slice("/control".length), request, response);
  send(response, 404, JSON.stringify({ error: `no host ${name}` }));
}

async function answerBmc(
  { time }: Answering,
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bmc = service.bmcOf(request.url ?? "/");
  bmc.host.counters.redfishRequests += 1;
  const body = await bodyOf(request);
  if (bmc.host.platform.away) return void request.socket.destroy();
  if (await misbehave(bmc, request, response)) return;
  if (!time.instant) await time.wait(bmcAnswerMs);
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const answer = service.answer({ method: request.method ?? "GET", path: request.url ?? "/", header, body });
  send(response, answer.status, answer.body, {
    "odata-version": "4.0",
    date: bmc.host.bmcTime().toUTCString(),
    ...answer.headers,
  });
}

async function answerNetwork(
  { network, networkToken }: Answering,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const hostId = /^\/hosts\/([^/]+)\/network$/.exec(path)?.[1];
  if (!bearer(request, networkToken)) return send(response, 401, JSON.stringify({ error: "no valid token" }));
  if (hostId === undefined) return send(response, 404, JSON.stringify({ error: `nothing at ${path}` }));
  if (request.method === "OPTIONS") {
    const status = network.options(decodeURIComponent(hostId));
    return send(response, status, undefined, status === 204 ? { allow: "OPTIONS, PUT" } : {});
  }
  if (request.method !== "PUT")
    return send(response, 405, JSON.stringify({ error: "only PUT" }), { allow: "OPTIONS, PUT" });
  const { status, body } = network.want(decodeURIComponent(hostId), jsonOf(await bodyOf(request)));
  send(response, status, JSON.stringify(body));
}

async function answerControl(
  { control, desk, networkToken, controlToken, deskToken }: Answering,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // The list of machines to enrol is also readable by whoever sets up the site, with the network controller's token.
  const listing = request.method === "GET" && path.startsWith("/fleet");
  const isDesk = path === "/desk" || path === "/desk/people";
  const atDesk = isDesk && deskToken !== undefined && bearer(request, deskToken);
  if (!bearer(request, controlToken) && !atDesk && !(listing && bearer(request, networkToken)))
    return send(response, 401, JSON.stringify({ error: "no valid token" }));
  const method = request.method ?? "GET";
  const asked = jsonOf(await bodyOf(request));
  const { status, body } = isDesk
    ? path === "/desk/people"
      ? desk.people()
      : await desk.answer(method, asked)
    : control.answer(method, new URL(path, "http://control.localhost"), asked);
  send(response, status, JSON.stringify(body));
}
