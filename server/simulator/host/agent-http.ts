// The network card of a simulated agent: real requests to the controller, counted, and altered if a fault says so.
import type { Pool } from "undici";
import { z } from "zod";
import type { Http, HttpRequest } from "@/agent/surroundings";
import { ask } from "@/server/simulator/host/ask";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const devicesBody = z.looseObject({ result: z.string(), message: z.string(), devices: z.array(z.unknown()) });
const versionBody = z.looseObject({
  agentVersion: z.string(),
  hardwareManagers: z.array(z.looseObject({ version: z.string() })),
});

/** The body that a faulty agent sends instead. */
function bent(request: HttpRequest, host: SimulatedHost): string | undefined {
  const fault = host.faults.agent;
  if (!fault || request.body === undefined) return request.body;
  if (request.path.endsWith("/result") && (fault.fewerDevices || fault.okWithoutDevices)) {
    const body = devicesBody.parse(JSON.parse(request.body));
    return JSON.stringify({
      ...body,
      result: "OK",
      message: "all devices erased",
      devices: fault.okWithoutDevices ? [] : body.devices.slice(0, -1),
    });
  }
  if (request.path.endsWith("/register") && (fault.oldVersion || fault.newVersion)) {
    const body = versionBody.parse(JSON.parse(request.body));
    const [agentVersion, version] = fault.oldVersion ? ["0.0.1", "0"] : ["99.0.0", "99"];
    return JSON.stringify({
      ...body,
      agentVersion,
      hardwareManagers: body.hardwareManagers.map((manager) => ({ ...manager, version })),
    });
  }
  return request.body;
}

export function agentHttp(host: SimulatedHost, pool: Pool): Http {
  return (request) => {
    if (request.path.startsWith("/boot/")) host.counters.bootRequests += 1;
    else host.counters.agentRequests += 1;
    const body = bent(request, host);
    return ask(pool, {
      method: request.method,
      path: request.path,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(request.token === null ? {} : { authorization: `Bearer ${request.token}` }),
      },
      body,
      timeoutMs: request.timeoutMs,
      signal: request.signal,
    });
  };
}
