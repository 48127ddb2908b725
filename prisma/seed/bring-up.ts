// Brings the demo's fleet up by the acts that people use: manage, provide, and instances for the tenants. Nothing is written as Ready.
import { setTimeout as sleep } from "node:timers/promises";
import type { Role } from "@/server/domain/access/roles";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { provideHost } from "@/server/usecases/hosts/acts/provide-host";
import { claimHost } from "@/server/usecases/instances/claim-host";
import type { DemoTenant } from "@/prisma/seed/people";

export interface BringUp {
  readonly backend: Backend;
  readonly operator: Actor;
  readonly request: Request;
  readonly siteId: string;
  /** Serial numbers of the demo's own fleet: hosts that people enrolled are theirs to bring up. */
  readonly serials: readonly string[];
  readonly say: (line: string) => void;
  /** How long nothing may change before it gives up; what is left goes on by itself. */
  readonly patienceMs: number;
}

/** Acts at a time: enough to keep the server busy, few enough to leave it room. */
const atATime = 8;
const sayEveryMs = 5_000;

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

/** How often a host that does not get out of Enroll is asked again. */
const managedAtMost = 5;

interface NewHost {
  readonly hostId: string;
  readonly state: string;
  /** It has been provided once; what it is in now is the controller's business. */
  readonly begun: boolean;
}

/** Hosts of the fleet that no reclamation has ended for yet. One that was Ready once is left as people made it, also in Manageable. */
const newHosts = ({ backend, serials }: BringUp): Promise<readonly NewHost[]> => backend.database.$queryRaw`
  SELECT r.host_id::text AS "hostId", r.state, EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = r.host_id) AS begun
  FROM host h JOIN host_run r ON r.host_id = h.id
  WHERE h.serial = ANY(${[...serials]}) AND NOT EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = h.id AND c.ended_at IS NOT NULL)`;

/** Takes every new host to Ready. A host that fails stays failed: it is part of what there is to see. */
export async function onboard(job: BringUp): Promise<void> {
  const managed = new Map<string, number>();
  const total = (await newHosts(job)).length;
  let quietSince = Date.now();
  let saidAt = 0;
  let before = "";
  const act = async (which: typeof manageHost, hostId: string): Promise<void> => {
    const result = await which(job.backend, job.operator, job.request, { hostId });
    // Another run of the seed, or a person, may have been first.
    if (!result.ok && result.problem.code !== "notAllowedNow")
      throw new Error(`${hostId}: ${result.problem.detail}`);
  };
  for (;;) {
    const hosts = await newHosts(job);
    await forEach(
      hosts.filter(({ state, hostId }) => state === "Enroll" && (managed.get(hostId) ?? 0) < managedAtMost),
      async ({ hostId }) => {
        managed.set(hostId, (managed.get(hostId) ?? 0) + 1);
        await act(manageHost, hostId);
      },
    );
    await forEach(
      hosts.filter(({ state, begun }) => state === "Manageable" && !begun),
      ({ hostId }) => act(provideHost, hostId),
    );
    const left = hosts.filter(({ state }) => !state.startsWith("Failed/"));
    const states = left
      .map(({ state }) => state)
      .sort()
      .join();
    if (states !== before) {
      before = states;
      quietSince = Date.now();
    }
    if (total > 0 && (left.length === 0 || Date.now() - saidAt >= sayEveryMs)) {
      const cleaning = left.filter(({ state }) => state.startsWith("WaitingForCleanup/")).length;
      job.say(
        `onboarded ${total - left.length} of ${total} hosts${cleaning > 0 ? `, ${cleaning} in cleaning` : ""}`,
      );
      saidAt = Date.now();
    }
    if (left.length === 0) return;
    if (Date.now() - quietSince > job.patienceMs)
      return job.say(`${left.length} hosts are still being onboarded; they go on by themselves`);
    await sleep(1_000);
  }
}

/** The SKU of which most hosts are free, so that every tenant has hosts of each kind, and not the one that was ready first all of the quickest. */
async function mostReadySku({ backend, siteId }: BringUp): Promise<{ readonly skuId?: string }> {
  const rows = await backend.database.$queryRaw<{ id: string }[]>`
    SELECT h.sku_id::text AS id FROM host_run r JOIN host h ON h.id = r.host_id
    WHERE r.site_id = ${siteId}::uuid AND r.state = 'Ready' AND r.allocatable AND h.sku_id IS NOT NULL GROUP BY h.sku_id ORDER BY count(*) DESC, h.sku_id LIMIT 1`;
  return rows[0] === undefined ? {} : { skuId: rows[0].id };
}

/** Gives each tenant its share of instances, and waits until they are in use. Those that it gave up count, too: nobody gets them twice. */
export async function giveInstances(
  job: BringUp,
  tenants: readonly DemoTenant[],
  actorOf: (role: Role, org: string) => Promise<Actor>,
): Promise<void> {
  const total = await job.backend.database.host.count({ where: { serial: { in: [...job.serials] } } });
  let given = 0;
  for (const tenant of tenants) {
    const actor = await actorOf(tenant.targeted ? "repair-tenant-admin" : "tenant-admin", tenant.org);
    const held = await job.backend.database.instance.count({ where: { tenantId: tenant.id } });
    const wanted = Math.max(2, Math.round(total * tenant.share));
    for (let number = held + 1; number <= wanted; number += 1) {
      const result = await claimHost(job.backend, actor, job.request, {
        name: `${tenant.org}-${String(number).padStart(3, "0")}`,
        wanted: { siteId: job.siteId, ...(await mostReadySku(job)) },
      });
      if (!result.ok) {
        job.say(`${tenant.name} got ${number - 1} of ${wanted} instances: ${result.problem.detail}`);
        break;
      }
      given += 1;
    }
  }
  if (given === 0) return;
  const until = Date.now() + job.patienceMs;
  for (;;) {
    const waiting = await job.backend.database.instance.count({ where: { endedAt: null, readyAt: null } });
    if (waiting === 0 || Date.now() > until)
      return job.say(
        waiting === 0 ? "all instances are in use" : `${waiting} instances are still being prepared`,
      );
    await sleep(500);
  }
}
