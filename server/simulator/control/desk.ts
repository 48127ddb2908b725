// The demo desk: what a person at the console may do to the simulated site. It describes its offer in words, so that whatever displays
// it need not know about it (docs/demo.md).
import { z } from "zod";
import type { ControlAnswer } from "@/server/simulator/control/control-api";
import { drills, isDrill } from "@/server/simulator/control/drills";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import type { Living } from "@/server/simulator/living/living";
import { readLogins } from "@/server/simulator/living/people";

const order = z.union([
  z.strictObject({ act: z.literal("switch"), on: z.boolean() }),
  z.strictObject({ act: z.literal("drill"), drill: z.string(), host: z.string() }),
]);

interface DeskParts {
  readonly hosts: readonly SimulatedHost[];
  /** Null: no scenario was given. */
  readonly living: Living | null;
  readonly controllerUrl: string;
  /** Undefined: nobody uses this site. */
  readonly loginsFile: string | undefined;
}

export class Desk {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  async answer(method: string, body: unknown): Promise<ControlAnswer> {
    if (method === "GET") return { status: 200, body: this.#offer() };
    if (method !== "POST") return { status: 405, body: { error: `${method} is not for the desk` } };
    const wanted = order.safeParse(body);
    if (!wanted.success) return { status: 400, body: { error: "not an order" } };
    return wanted.data.act === "switch"
      ? this.#switch(wanted.data.on)
      : this.#drill(wanted.data.drill, wanted.data.host);
  }

  /** Who uses the demo, with their logins: its sign-in page offers them. */
  people(): ControlAnswer {
    const { loginsFile } = this.#parts;
    const people = loginsFile === undefined ? [] : readLogins(loginsFile);
    return {
      status: 200,
      body: { people: people.map(({ role, org, email, password }) => ({ role, org, email, password })) },
    };
  }

  #offer(): object {
    const { living } = this.#parts;
    return {
      words: "The machines of this site are simulated. What is done here happens to them, not to Reclaim.",
      switch:
        living === null
          ? null
          : {
              title: "Living demo",
              words: "Tenants take and release machines, a few drives fail, a BMC is slow.",
              on: living.isOn,
              trouble: living.trouble,
            },
      drills: Object.entries(drills).map(([name, { title, words }]) => ({ name, title, words })),
    };
  }

  #switch(on: boolean): ControlAnswer {
    const { living } = this.#parts;
    if (living === null) return { status: 404, body: { error: "there is no living demo" } };
    living.set(on);
    return { status: 200, body: { words: `The living demo is ${on ? "on" : "off"}.` } };
  }

  /** @param name of a host, or its serial number */
  async #drill(drill: string, name: string): Promise<ControlAnswer> {
    const host = this.#parts.hosts.find(
      ({ blueprint }) => blueprint.name === name || blueprint.serial.toLowerCase() === name.toLowerCase(),
    );
    if (host === undefined) return { status: 404, body: { error: `No simulated machine ${name}.` } };
    if (!isDrill(drill)) return { status: 404, body: { error: `No drill ${drill}.` } };
    return { status: 200, body: { words: await drills[drill].run(host, this.#parts.controllerUrl) } };
  }
}
