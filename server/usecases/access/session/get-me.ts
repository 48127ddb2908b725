// The person at the console, and what they may open.
import { reachOf } from "@/server/domain/access/access";
import type { Right } from "@/server/domain/access/access";
import { hostActionNames, hostActions } from "@/server/domain/hosts/host-actions";
import { roleTable } from "@/server/domain/access/roles";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { readFeedPosition } from "@/server/db/feed/live-feed";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { allocationStop, stopActs, tenantStop } from "@/server/usecases/database/allocation-stop";
import type { Me } from "@/server/contract/access/session";
import { demoRight } from "@/server/usecases/access/demo-desk";
import { readLeftOut } from "@/server/usecases/access/session/left-out";
import { shownPages } from "@/server/usecases/access/session/shown-pages";
import { tenantNames } from "@/server/usecases/tenant-names";

/**
 * @param version of the program, shown in the console
 * @param hasDesk whether the process has a demo desk
 */
export async function getMe(
  { database }: Backend,
  actor: Actor,
  version: string,
  hasDesk = false,
): Promise<Outcome<Me>> {
  const may = (right: Right) => reachOf(actor.role, right) !== "none";
  const [sites, names, feedPosition, stop, leftOut] = await Promise.all([
    database.site.findMany({ orderBy: { name: "asc" }, select: { demo: true, label: true } }),
    tenantNames(database),
    readFeedPosition(database),
    allocationStop(database),
    may("cleaning.read") ? readLeftOut(database) : { places: [], total: 0 },
  ]);
  const demo = sites.some((site) => site.demo);
  return done({
    personId: actor.personId,
    name: actor.name,
    email: actor.email,
    role: actor.role,
    roleWords: roleTable[actor.role].words,
    tenant:
      actor.tenantId === null || actor.org === null
        ? null
        : { org: actor.org, name: names.get(actor.tenantId) ?? actor.org },
    pages: shownPages(actor),
    mayWriteHosts: hostActionNames.some((name) => may(hostActions[name].right)),
    mayCreateInstances: may("instance.create"),
    mayReleaseInstances: may("instance.release"),
    siteLabel: sites.find(({ label }) => label !== null)?.label ?? null,
    allocationStopped: stop === null ? null : actor.tenantId === null ? stop.message : tenantStop,
    stopActs: may("database.afterRestore") ? stopActs(stop) : [],
    leftOut,
    demo,
    demoDesk: demo && hasDesk && may(demoRight),
    version,
    feedPosition,
  });
}
