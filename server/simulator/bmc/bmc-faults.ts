// A misbehaving BMC: what the scripted fault does to one HTTP exchange.
import type { IncomingMessage, ServerResponse } from "node:http";
import { takeBmcFault } from "@/server/simulator/faults";
import { sleep } from "@/server/simulator/hardware-time";
import type { Bmc } from "@/server/simulator/bmc/bmc";

const slowMs = 15_000;

/** True if the exchange is over, or will never be; false if the BMC should answer as usual. */
export async function misbehave(
  bmc: Bmc,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { faults } = bmc.host;
  if (faults.bmc === null) return false;
  if (faults.bmc.mode === "acceptAndIgnore" && request.method === "GET") return false;
  if (faults.bmc.mode === "ignoreResets" && !(request.url ?? "").endsWith("/ComputerSystem.Reset"))
    return false;
  const fault = takeBmcFault(faults);
  if (fault !== faults.bmc) bmc.host.changed();
  switch (fault?.mode) {
    case undefined:
      return false;
    case "silent":
      return true;
    case "error5xx":
      response
        .writeHead(503, { "content-type": "text/html" })
        .end("<html><body>Service Unavailable</body></html>");
      return true;
    case "slow":
      await sleep(fault?.delayMs ?? slowMs);
      return response.destroyed;
    case "garbage":
      response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"@odata.id": "/redfish/v1/Sys\u0000');
      return true;
    case "close":
      request.socket.destroy();
      return true;
    case "loseSession":
      bmc.sessions.loseAll();
      return false;
    case "acceptAndIgnore":
    case "ignoreResets":
      response.writeHead(204).end();
      return true;
  }
}
