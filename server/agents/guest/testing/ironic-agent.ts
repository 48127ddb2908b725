// For tests: a program that speaks the command API of Ironic's agent over TLS (ironic_python_agent/api/app.py), and does nothing.
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import { z } from "zod";
import { recorded } from "@/server/agents/guest/testing/recorded";
import { selfSigned } from "@/server/hardware/http/testing/self-signed";

const posted = z.object({ name: z.string(), params: z.record(z.string(), z.unknown()) });

interface TestCommand {
  readonly id: string;
  readonly command_name: string;
  command_status: string;
  command_error: unknown;
  command_result: unknown;
}

export interface IronicAgent {
  readonly url: string;
  readonly cert: string;
  /** Names and parameters of the commands that it got, in order. */
  readonly told: { readonly name: string; readonly params: Readonly<Record<string, unknown>> }[];
  /** Ends the running step. */
  end(status: string, result: unknown, error?: unknown): void;
  /** Sets the hardware that it reports from now on. */
  hardware(told: object): void;
  /** Forgets its commands, as a restarted program does. */
  forget(): void;
  /** Replaces its next answers; null: back to normal. */
  answer(next: { readonly status: number; readonly body: unknown } | null): void;
  close(): Promise<void>;
}

export interface IronicAgentOptions {
  readonly token: () => string;
  readonly hardware: object;
}

const cleanSteps = {
  clean_steps: {
    GenericHardwareManager: [
      { step: "erase_devices", priority: 10, interface: "deploy", reboot_requested: false, abortable: true },
      {
        step: "verify_mem_overwrite",
        priority: 0,
        interface: "deploy",
        reboot_requested: false,
        abortable: true,
      },
    ],
    SiteHardwareManager: [
      { step: "scrub_nic", priority: 33, interface: "deploy", reboot_requested: false, abortable: false },
      {
        step: "flash_and_restart",
        priority: 34,
        interface: "deploy",
        reboot_requested: true,
        abortable: false,
      },
    ],
  },
  hardware_manager_version: { generic_hardware_manager: "1.2", "site-manager": "7" },
};

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}

/** Listens on loopback. A step runs until `end`; everything else is answered at once. */
export async function startIronicAgent({ token, hardware }: IronicAgentOptions): Promise<IronicAgent> {
  const { key, cert } = selfSigned("127.0.0.1");
  let commands: TestCommand[] = [];
  let instead: { readonly status: number; readonly body: unknown } | null = null;
  const told: IronicAgent["told"] = [];
  const results: Record<string, unknown> = {
    "poll.get_hardware_info": hardware,
    "clean.get_clean_steps": cleanSteps,
  };
  const begin = (text: string): TestCommand => {
    const { name, params } = posted.parse(JSON.parse(text));
    told.push({ name, params });
    const result = results[name];
    const command = {
      id: randomUUID(),
      command_name: name.replace(/^.*\./, ""),
      command_status: result === undefined ? "RUNNING" : "SUCCEEDED",
      command_error: null,
      command_result: result ?? null,
    };
    commands.push(command);
    return command;
  };
  const server = createServer({ key, cert }, (request, response) => {
    void textOf(request).then((text) => {
      const url = new URL(request.url ?? "/", "https://agent");
      const [status, body] = ((): [number, unknown] => {
        if (url.searchParams.get("agent_token") !== token()) return [401, recorded.faults["401"]];
        if (url.pathname !== "/v1/commands/") return [404, recorded.faults["404"]];
        if (request.method === "GET") return [200, { commands }];
        if (instead !== null) return [instead.status, instead.body];
        return commands.some((row) => row.command_status === "RUNNING")
          ? [409, recorded.faults["409"]]
          : [200, begin(text)];
      })();
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it has no port");
  return {
    url: `https://127.0.0.1:${address.port}`,
    cert,
    told,
    end: (status, result, error = null) => {
      const running = commands.find((row) => row.command_status === "RUNNING");
      if (running === undefined) throw new Error("no step runs");
      Object.assign(running, { command_status: status, command_result: result, command_error: error });
    },
    hardware: (next) => void (results["poll.get_hardware_info"] = next),
    forget: () => void (commands = []),
    answer: (next) => void (instead = next),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The answer of `poll.get_hardware_info` for a host with one NVMe drive of two namespaces. */
export const guestHardwareOf = (serial: string, mac: string) => ({
  interfaces: [{ name: "eno1", mac_address: mac, ipv4_address: "127.0.0.1", product: "0x165f", lldp: null }],
  cpu: {
    model_name: "Xeon Gold 6354",
    frequency: "3000",
    count: 36,
    architecture: "x86_64",
    socket_count: 2,
    flags: [],
  },
  disks: [
    {
      name: "/dev/nvme0n1",
      model: "PM9A3",
      size: 960_000_000_000,
      rotational: false,
      wwn: "eui.1",
      serial: `${serial}-D1`,
      vendor: null,
      by_path: "/dev/disk/by-path/pci-0000:01:00.0-nvme-1",
    },
    {
      name: "/dev/nvme0n2",
      model: "PM9A3",
      size: 1_000,
      rotational: false,
      wwn: "eui.2",
      serial: `${serial}-D1`,
      vendor: null,
      by_path: "/dev/disk/by-path/pci-0000:01:00.0-nvme-2",
    },
  ],
  memory: { total: 270_000_000_000, physical_mb: 262_144 },
  bmc_address: "10.0.0.9",
  system_vendor: {
    product_name: "PowerEdge R750",
    serial_number: serial,
    manufacturer: "Dell Inc.",
    firmware: { vendor: "Dell", version: "1.9.2", build_date: "" },
  },
  boot: { current_boot_mode: "uefi", pxe_interface: mac },
  hostname: "localhost",
});
