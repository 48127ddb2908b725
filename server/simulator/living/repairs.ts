// Repairs in the living demo: now and then a tenant reports an issue with its release, an operator requests the repair, and a repair tenant does it.
import { z } from "zod";
import type { People, Person } from "@/server/simulator/living/people";
import type { Scenario } from "@/server/simulator/living/scenario";

const held = z.array(
  z.object({
    hostId: z.string(),
    instanceId: z.string(),
    instance: z.string(),
    release: z.object({ allowed: z.boolean() }),
  }),
);
const queue = z.object({
  rows: z.array(
    z.object({ hostId: z.string(), host: z.string(), claim: z.object({ allowed: z.boolean() }) }),
  ),
});

const issues = [
  { category: "Hardware", summary: "A fan stands still", details: "Noticed in the rack's telemetry." },
  { category: "Performance", summary: "Training is a third slower than on other machines", details: "" },
  { category: "Network", summary: "One port loses its link", details: "About once an hour, since Monday." },
  {
    category: "Hardware",
    summary: "A GPU falls off the bus under load",
    details: "Xid 79 after some hours.",
  },
] as const;

export class Repairs {
  readonly #scenario: Scenario["repairs"];
  readonly #now: () => number;
  #next = 0;
  #releases = 0;

  constructor({ repairs }: Scenario, now: () => number) {
    this.#scenario = repairs;
    this.#now = now;
  }

  /** What the tenant reports about the machine that it releases; null: it works. */
  nextIssue(): (typeof issues)[number] | null {
    const count = this.#releases++;
    const every = this.#scenario?.oneReleaseIn ?? 0;
    // Not the first: a drive of that one fails.
    if (every === 0 || count % every !== 1 % every) return null;
    return issues[Math.floor(count / every) % issues.length] ?? null;
  }

  /** Handles at most one host: a repaired one is released before another is claimed. */
  async tick({ operator, repairTenantAdmin }: People): Promise<void> {
    if (this.#scenario === null || this.#now() < this.#next) return;
    const { org, everySeconds, leftInQueue } = this.#scenario;
    const fixer = repairTenantAdmin(org);
    if (fixer === null) return;
    this.#next = this.#now() + everySeconds * 1000;
    const own = new RegExp(`^${org}-repair-\\d+$`);
    const mine = (await fixer.read("repair.held", null, held)).filter(({ instance }) => own.test(instance));
    const [done] = mine.filter(({ release }) => release.allowed);
    if (done !== undefined) {
      const { hostId, instanceId } = done;
      await fixer.act("repair.setOutcome", {
        hostId,
        outcome: "Completed",
        summary: "The part was replaced",
      });
      await fixer.act("instances.release", { ids: [instanceId], repairTenant: true });
    } else if (mine.length === 0) await this.#claim(operator, fixer, org, leftInQueue);
  }

  async #claim(operator: Person, fixer: Person, org: string, leftInQueue: number): Promise<void> {
    const { rows } = await fixer.read("repair.queue", { limit: 50 }, queue);
    const open = rows.filter(({ claim }) => claim.allowed);
    const [first] = open;
    if (first === undefined || open.length <= leftInQueue) return;
    await operator.act("health.apply", {
      hostId: first.hostId,
      template: "request-repair",
      message: `Please repair ${first.host}`,
    });
    await fixer.act("instances.create", {
      name: `${org}-repair-${1000 + (Math.floor(Date.now() / 1000) % 9000)}`,
      labels: { by: "living-demo" },
      wanted: { hostId: first.hostId, allowUnhealthy: true },
    });
  }
}
