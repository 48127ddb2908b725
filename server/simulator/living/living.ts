// The living demo: plays a scenario. Tenants claim and release machines, a few drives fail, a BMC is slow, one machine waits for a person.
// Everything is done with requests that anybody could send; the only thing it does to the hardware is to script faults.
import { z } from "zod";
import { mix } from "@/server/simulator/fleet/numbers";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { Mishaps } from "@/server/simulator/living/mishaps";
import { Refused } from "@/server/simulator/living/people";
import type { People, Person } from "@/server/simulator/living/people";
import { Pulse } from "@/server/simulator/living/pulse";
import { Repairs } from "@/server/simulator/living/repairs";
import type { Scenario } from "@/server/simulator/living/scenario";

const instances = z.object({
  rows: z.array(
    z.object({ id: z.string(), name: z.string(), status: z.string(), sku: z.string().nullable() }),
  ),
  total: z.number().nullable(),
});
const offer = z.object({
  kinds: z.array(z.object({ siteId: z.string(), skuId: z.string(), free: z.number() })),
});
const seen = z.object({ host: z.object({ name: z.string() }).nullable() });

interface LivingParts {
  readonly scenario: Scenario;
  readonly hosts: readonly SimulatedHost[];
  /** Null: their logins do not exist yet. */
  readonly people: () => People | null;
  readonly log: (level: "info" | "warn", message: string) => void;
  readonly now?: () => number;
}

/** Off until it is switched on. */
export class Living {
  readonly #parts: LivingParts;
  readonly #now: () => number;
  readonly #mishaps: Mishaps;
  readonly #repairs: Repairs;
  readonly #pulse: Pulse;
  /** When each tenant acts next, by organisation. */
  readonly #next = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #begun = false;
  #turn = 0;

  constructor(parts: LivingParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    this.#mishaps = new Mishaps(parts.scenario, parts.hosts, this.#now);
    this.#repairs = new Repairs(parts.scenario, this.#now);
    this.#pulse = new Pulse(this.#now);
  }

  get isOn(): boolean {
    return this.#timer !== null;
  }

  /** Why nothing seems to happen, as text; null: the demo is alive, or off. */
  get trouble(): string | null {
    return this.isOn ? this.#pulse.trouble : null;
  }

  /** What is broken stays broken when it is switched off. */
  set(on: boolean): void {
    if (on === this.isOn) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (on) this.#mishaps.begin();
    this.#timer = on ? this.#later(0) : null;
    this.#begun = false;
    this.#pulse.reset();
  }

  #later(ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => void this.#play(timer), ms);
    return timer.unref();
  }

  async #play(timer: NodeJS.Timeout): Promise<void> {
    await this.tick();
    if (this.#timer === timer) this.#timer = this.#later(this.#parts.scenario.tickSeconds * 1000);
  }

  /** One look at the site, and the resulting acts. Never throws: if the server is down it is retried at the next tick. */
  async tick(): Promise<void> {
    const people = this.#parts.people();
    if (people === null) return;
    await this.#logged(() => this.#act(people));
    await this.#logged(() => this.#pulse.tick(people.operator));
  }

  async #logged(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const expected = error instanceof Refused;
      this.#parts.log(expected ? "info" : "warn", error instanceof Error ? error.message : String(error));
    }
  }

  async #act(people: People): Promise<void> {
    for (const tenant of this.#parts.scenario.tenants) await this.#tenant(people, tenant);
    this.#begun = true;
    await this.#mishaps.tick(people.operator);
    await this.#repairs.tick(people);
  }

  async #tenant(people: People, { org, everySeconds, holds }: Scenario["tenants"][number]): Promise<void> {
    const admin = people.tenantAdmin(org);
    if (admin === null || this.#now() < (this.#next.get(org) ?? 0)) return;
    this.#next.set(org, this.#now() + everySeconds * 1000);
    const { rows, total } = await admin.read("instances.list", { limit: 200 }, instances);
    const held = (total ?? rows.length) / this.#parts.hosts.length;
    // Never an instance that a person made. The demo's own have a number after the organisation's name.
    const own = rows.filter(
      ({ name, status }) => status === "Ready" && new RegExp(`^${org}-\\d+$`).test(name),
    );
    const releases = this.#begun ? 0 : this.#parts.scenario.atStart.releases;
    for (const { id } of own.slice(0, releases)) await this.#release(people, admin, id);
    if (releases > 0) return;
    const [oldest] = own.slice(-1);
    const takes = held < holds.least || (held < holds.most && mix(this.#turn++, org.length) % 2 === 0);
    if (takes) await this.#take(admin, org);
    else if (oldest !== undefined) await this.#release(people, admin, oldest.id);
  }

  async #take(admin: Person, org: string): Promise<void> {
    const { kinds } = await admin.read("instances.offer", null, offer);
    const free = kinds.filter((kind) => kind.free > 0);
    const kind = free[mix(this.#turn) % Math.max(1, free.length)];
    if (kind === undefined) return;
    await admin.act("instances.create", {
      name: `${org}-${1000 + (Math.floor(Date.now() / 1000) % 9000)}`,
      labels: { by: "living-demo" },
      wanted: { siteId: kind.siteId, skuId: kind.skuId },
    });
  }

  async #release({ operator }: People, admin: Person, id: string): Promise<void> {
    // Only the provider's people see the machine under an instance.
    const { host } = await operator.read("instances.get", { id }, seen);
    if (host !== null) this.#mishaps.beforeRelease(host.name);
    const issue = this.#repairs.nextIssue();
    await admin.act("instances.release", { ids: [id], ...(issue === null ? {} : { issue }) });
  }
}
