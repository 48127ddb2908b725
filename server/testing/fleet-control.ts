// The simulated fleet's control interface, as a test uses it: what there is, faults to order, what happened to the machines.
import { request } from "undici";
import { z } from "zod";

const drive = z.looseObject({
  serial: z.string(),
  model: z.string(),
  media: z.enum(["nvme", "ssd", "hdd", "raid-kit"]),
  transport: z.enum(["nvme", "sata", "sas"]),
  capacityBytes: z.string(),
});
const machine = z.looseObject({
  serial: z.string(),
  name: z.string(),
  vendor: z.enum(["dell", "lenovo", "generic"]),
  sku: z.string(),
  manufacturer: z.string(),
  model: z.string(),
  uuid: z.string(),
  rack: z.string(),
  slot: z.number(),
  macs: z.array(z.string()),
  networkInterfaces: z.array(z.string()),
  infiniband: z.array(z.looseObject({ dpu: z.boolean() })),
  cpus: z.array(z.looseObject({ model: z.string() })),
  memoryBytes: z.string(),
  drives: z.array(drive),
  /** What its SKU says of its parts. */
  parts: z.record(z.string(), z.unknown()),
  /** `system`: its path, of a service with several. */
  bmc: z.object({ address: z.string(), username: z.string(), system: z.string().optional() }),
});
export type Machine = z.infer<typeof machine>;

const state = machine.extend({
  power: z.string(),
  running: z.string(),
  network: z.string(),
  holdsTenantData: z.boolean(),
  counters: z.looseObject({
    powerActions: z.array(
      z.object({
        at: z.string(),
        action: z.string(),
        duringErase: z.boolean(),
        duringSanitize: z.boolean(),
      }),
    ),
    powerActionsTotal: z.number(),
    resetsDuringErase: z.number(),
    redfishRequests: z.number(),
    agentStarts: z.number(),
    agentCrashes: z.number(),
    tenantBoots: z.number(),
  }),
  drives: z.array(drive.extend({ holdsTenantData: z.boolean(), acceptedErases: z.number() })),
});
export type MachineState = z.infer<typeof state>;

const sums = z.looseObject({
  resetsDuringErase: z.number(),
  powerActionsTotal: z.number(),
  agentStarts: z.number(),
  hostsWithTenantData: z.number(),
});

/** As `server/simulator/faults.ts` parses them; what is not accepted there makes the call throw. */
export interface Faults {
  readonly bmc?: {
    readonly mode:
      | "silent"
      | "error5xx"
      | "slow"
      | "garbage"
      | "close"
      | "loseSession"
      | "acceptAndIgnore"
      | "ignoreResets";
    readonly requests?: number;
    readonly delayMs?: number;
  } | null;
  /** By slot. */
  readonly parts?: Readonly<Record<string, object>> | null;
  readonly drives?: Readonly<
    Record<
      string,
      | Readonly<
          Record<
            "failErase" | "lieErase" | "vanish" | "noCrypto" | "hangErase" | "readErrors" | "noSerial",
            boolean
          >
        >
      | object
    >
  >;
  readonly agent?: {
    readonly fewerDevices?: boolean;
    readonly okWithoutDevices?: boolean;
    readonly crashDuring?: string;
    readonly neverRegister?: boolean;
    readonly oldVersion?: boolean;
    readonly newVersion?: boolean;
  } | null;
  readonly network?: { readonly neverAck?: boolean; readonly answers?: "notFound" | "unavailable" } | null;
  readonly infiniband?: { readonly stuck: boolean } | null;
  readonly memoryOverwrite?: { readonly fails: boolean } | null;
  readonly validation?: { readonly fails: boolean } | null;
  readonly tpm?: { readonly state: "lockoutSet" | "clearDisabled" | "keeps" } | null;
  readonly measuredBoot?: { readonly mode: string } | null;
  readonly jobs?: { readonly fails?: number; readonly hangs?: boolean } | null;
  readonly quirks?: readonly string[] | null;
  readonly health?: {
    readonly fan?: number;
    readonly supply?: number;
    readonly leak?: "Warning" | "Critical";
    readonly drives?: readonly string[];
    readonly log?: { readonly first?: number; readonly entries: number; readonly since: string };
  } | null;
}

export class FleetControl {
  readonly #origin: string;
  readonly #token: string;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  async machines(): Promise<readonly Machine[]> {
    return z.object({ hosts: z.array(machine) }).parse(await this.#call("GET", "/fleet")).hosts;
  }

  async machine(serial: string): Promise<MachineState> {
    return state.parse(await this.#call("GET", `/hosts/${serial}`));
  }

  async sums(): Promise<z.infer<typeof sums>> {
    return sums.parse(await this.#call("GET", "/counters"));
  }

  /** Machines become the systems of one service, which is at the address of the first; as they are from then on. */
  async together(serials: readonly string[]): Promise<readonly Machine[]> {
    return z.object({ hosts: z.array(machine) }).parse(await this.#call("POST", "/services", serials)).hosts;
  }

  async fault(serial: string, faults: Faults): Promise<void> {
    await this.#call("POST", `/hosts/${serial}/faults`, faults);
  }

  async heal(serial: string): Promise<void> {
    await this.#call("DELETE", `/hosts/${serial}/faults`);
  }

  /** False when no agent ran. */
  async crashAgent(serial: string): Promise<boolean> {
    return z
      .object({ crashed: z.boolean() })
      .parse(await this.#call("POST", `/hosts/${serial}/crash-agent`, {})).crashed;
  }

  /** A system that is not ours writes one block of a drive. */
  async write(serial: string, drive: string, block: number): Promise<void> {
    await this.#call("POST", `/hosts/${serial}/write`, { drive, block });
  }

  /** Somebody boots a system that is not ours, which writes one block of a drive. */
  async bootAndWrite(serial: string, drive: string, block: number): Promise<void> {
    await this.#call("POST", `/hosts/${serial}/boot-and-write`, { drive, block });
  }

  /** Somebody opens the chassis. */
  async open(serial: string): Promise<void> {
    await this.#call("POST", `/hosts/${serial}/open`, {});
  }

  /** What somebody left on the BMC, such as an account. */
  async leaveOnBmc(serial: string, left: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#call("POST", `/hosts/${serial}/bmc-intrusion`, left);
  }

  /** Somebody uses the BMC past the controller, such as a person at its own page. */
  async pastTheController(
    { bmc }: Machine,
    password: string,
    path: string,
    body: object,
    method: "POST" | "DELETE" = "POST",
  ): Promise<void> {
    const address = new URL(bmc.address);
    const answer = await request(`http://127.0.0.1:${address.port}${path}`, {
      method,
      body: JSON.stringify(body),
      headers: {
        host: address.host,
        "content-type": "application/json",
        authorization: `Basic ${Buffer.from(`${bmc.username}:${password}`).toString("base64")}`,
      },
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text}`);
  }

  /** How many sessions are open at a BMC. */
  async sessionsOf({ bmc }: Machine, password: string): Promise<number> {
    const address = new URL(bmc.address);
    const answer = await request(`http://127.0.0.1:${address.port}/redfish/v1/SessionService/Sessions`, {
      headers: {
        host: address.host,
        authorization: `Basic ${Buffer.from(`${bmc.username}:${password}`).toString("base64")}`,
      },
    });
    return z.object({ Members: z.array(z.unknown()) }).parse(await answer.body.json()).Members.length;
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.#origin}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  }
}
