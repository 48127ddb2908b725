// A simulated machine that boots an image with Ironic's agent; the agent is a program of the test that speaks its API.
import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import { z } from "zod";
import { startIronicAgent, type IronicAgent } from "@/server/agents/guest/testing/ironic-agent";
import type { Machine } from "@/server/testing/fleet-control";

const found = z.object({
  node: z.object({ uuid: z.string() }),
  config: z.object({ agent_token: z.string() }),
});
const headers = { "x-openstack-ironic-api-version": "1.68", "content-type": "application/json" };
const ports = { nvme: "nvme", sata: "ata", sas: "sas" } as const;

/** What version 10 of the agent reports of the machine; version 9.1 omits the number of CPUs. */
const hardwareOf = ({ serial, manufacturer, model, macs, cpus, memoryBytes, drives }: Machine) => ({
  interfaces: macs.map((mac, index) => ({ name: `eno${index + 1}`, mac_address: mac })),
  cpu: { model_name: cpus[0]?.model, count: 2 * cpus.length, socket_count: cpus.length },
  disks: drives.map((drive, index) => ({
    name: drive.transport === "nvme" ? `/dev/nvme${index}n1` : `/dev/sd${String.fromCharCode(97 + index)}`,
    model: drive.model,
    size: Number(drive.capacityBytes),
    rotational: drive.media === "hdd",
    serial: drive.serial,
    by_path: `/dev/disk/by-path/pci-0000:0${index}:00.0-${ports[drive.transport]}-1`,
  })),
  memory: { total: Number(memoryBytes) },
  system_vendor: { product_name: model, serial_number: serial, manufacturer },
});

export interface GuestMachine {
  readonly agent: IronicAgent;
  stop(): Promise<void>;
}

/** Looks itself up and sends heartbeats in each boot until it is stopped. `url`: of Reclaim. */
export async function runGuest(url: string, machine: Machine): Promise<GuestMachine> {
  let [token, hostId] = ["", ""];
  const agent = await startIronicAgent({ token: () => token, hardware: hardwareOf(machine) });
  const stop = new AbortController();
  const turn = async (): Promise<void> => {
    const lookup = await request(`${url}/v1/lookup?addresses=${machine.macs.join(",")}`, { headers });
    const text = await lookup.body.text();
    // Once it has registered, the look-up no longer finds its host, and it keeps sending heartbeats.
    if (lookup.statusCode === 200) {
      const { node, config } = found.parse(JSON.parse(text));
      if (config.agent_token !== token) agent.forget();
      [token, hostId] = [config.agent_token, node.uuid];
    }
    if (token === "") return;
    const body = {
      callback_url: agent.url,
      agent_token: token,
      agent_version: "10.0.0",
      agent_verify_ca: agent.cert,
    };
    const heartbeat = await request(`${url}/v1/heartbeat/${hostId}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    await heartbeat.body.dump();
  };
  const running = (async () => {
    while (!stop.signal.aborted) {
      // A busy controller is asked again.
      await turn().catch(() => undefined);
      await pause(500, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    agent,
    stop: async () => {
      stop.abort();
      await running;
      await agent.close();
    },
  };
}
