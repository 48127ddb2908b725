// What can be done, by the words of an act and the name of a thing, as typed into the palette: acts on hosts, releases, and brakes.
import { formatCounted } from "@/server/domain/numbers";
import { reachOf } from "@/server/domain/access/access";
import { brakeActs, formatGroup } from "@/server/domain/cleaning/queue/brake";
import { routes } from "@/server/domain/console/routes";
import { typedAct } from "@/server/domain/console/typed";
import { cleaningActionNames, hostActionNames, hostActions } from "@/server/domain/hosts/host-actions";
import type { CleaningActionName, HostActionName } from "@/server/domain/hosts/host-actions";
import { brakes as brakeOperations } from "@/server/contract/cleaning/queue";
import type { FoundAct } from "@/server/contract/fleet/search-answers";
import { releaseOne } from "@/server/contract/instances/instances";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { getQueue } from "@/server/usecases/cleaning/queue/get-queue";
import { countHosts } from "@/server/usecases/hosts/list/list-hosts";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { listInstances } from "@/server/usecases/instances/list-instances";

type ActName = HostActionName | CleaningActionName;

/** Most that an answer has. */
const most = 8;
/** Hosts or instances that an act is offered on. */
const mostOn = 3;
/** A shorter part of a name fits too many. */
const fewestOfName = 2;

const actNames: readonly ActName[] = [...hostActionNames, ...cleaningActionNames];

/** The acts that are offered on all hosts of a filter when no host is named: those that let waiting hosts go on. */
const onMany = {
  retry: { filter: "is:failed", on: ["failed host"], none: "no host has failed" },
  provide: { filter: "state:Manageable", on: ["manageable host"], none: "no host is manageable" },
  clearMaintenance: {
    filter: "maintenance:true",
    on: ["host in maintenance", "hosts in maintenance"],
    none: "no host is in maintenance",
  },
} as const satisfies Partial<
  Record<ActName, { filter: string; on: readonly [one: string, many?: string]; none: string }>
>;

const isOnMany = (name: ActName): name is keyof typeof onMany => Object.hasOwn(onMany, name);

interface Wanted {
  readonly intent: ActName;
  readonly score: number;
  readonly target: string;
}

/** The acts on hosts that the text names and that the actor's role has, best match first. Pure. */
const wantedOf = (actor: Actor, text: string): readonly Wanted[] =>
  actNames
    .flatMap((intent): Wanted[] => {
      const { words, right } = hostActions[intent];
      const typed = reachOf(actor.role, right) === "any" ? typedAct(text, words) : null;
      return typed === null ? [] : [{ intent, ...typed }];
    })
    .toSorted((a, b) => b.score - a.score);

async function onNoHost(backend: Backend, wanted: readonly Wanted[]): Promise<readonly FoundAct[]> {
  return Promise.all(
    wanted.map(async ({ intent }): Promise<FoundAct> => {
      const { words } = hostActions[intent];
      const shared = { id: `host ${intent}`, words, command: null };
      if (!isOnMany(intent))
        return { ...shared, on: null, refused: "type the name of a host after it", path: routes.hosts({}) };
      const { filter, on, none } = onMany[intent];
      const count = await countHosts(backend, filter);
      return {
        ...shared,
        on: formatCounted(count, on[0], on[1]),
        refused: count === 0 ? none : null,
        path: routes.hosts({ q: filter, act: intent }),
      };
    }),
  );
}

/** Each act on each host, as the host's page offers it. */
async function onHosts(
  backend: Backend,
  actor: Actor,
  wanted: readonly Wanted[],
  hosts: readonly string[],
): Promise<readonly FoundAct[]> {
  const found = await Promise.all(hosts.map((host) => getHost(backend, actor, { host })));
  return found.flatMap((host) => {
    if (!host.ok) return [];
    const { id, name, actions, cleaningActions } = host.value;
    const offered = [...actions, ...cleaningActions];
    return wanted.flatMap(({ intent }): FoundAct[] => {
      const action = offered.find((candidate) => candidate.intent === intent);
      if (action === undefined) return [];
      return [
        {
          id: `host ${id} ${intent}`,
          words: action.words,
          on: name,
          refused: action.allowed ? null : (action.reason ?? "not possible now"),
          path:
            intent === "clean"
              ? routes.cleaning.manual({ hosts: [name] })
              : routes.host(name, { act: intent }),
          command: `${hostActions[intent].command} ${name}`,
        },
      ];
    });
  });
}

/** @param hostsNamed names of the hosts that a text finds, best match first */
async function ofHosts(
  backend: Backend,
  actor: Actor,
  text: string,
  hostsNamed: (text: string) => Promise<readonly string[]>,
): Promise<readonly FoundAct[]> {
  if (reachOf(actor.role, "host.read") !== "any") return [];
  const wanted = wantedOf(actor, text);
  const targets = [...new Set(wanted.map(({ target }) => target))];
  const found = await Promise.all(
    targets.map(async (target) => {
      const acts = wanted.filter((act) => act.target === target);
      if (target === "") return onNoHost(backend, acts);
      if (target.length < fewestOfName) return [];
      const hosts = await hostsNamed(target);
      const exact = hosts.find((name) => name.toLowerCase() === target.toLowerCase());
      return onHosts(backend, actor, acts, exact === undefined ? hosts.slice(0, mostOn) : [exact]);
    }),
  );
  return found.flat();
}

const releaseWords = "Release instance";

/** By the name or id of the instance, and for the provider's people by that of its host. */
async function ofInstances(backend: Backend, actor: Actor, text: string): Promise<readonly FoundAct[]> {
  const typed = reachOf(actor.role, releaseOne.right) === "none" ? null : typedAct(text, releaseWords);
  if (typed === null) return [];
  if (typed.target.length < fewestOfName)
    return [
      {
        id: "release",
        words: releaseWords,
        on: null,
        refused:
          actor.tenantId === null
            ? "type the name of an instance or its host after it"
            : "type the name of an instance after it",
        path: routes.instances(),
        command: null,
      },
    ];
  const found = await listInstances(backend, actor, {
    text: typed.target,
    status: "open",
    cursor: null,
    limit: mostOn,
  });
  if (!found.ok) return [];
  if (found.value.rows.length === 0)
    return [
      {
        id: "release",
        words: releaseWords,
        on: typed.target,
        refused: actor.tenantId === null ? "no such instance, and none on such a host" : "no such instance",
        path: routes.instances(),
        command: null,
      },
    ];
  return found.value.rows.map(({ id, name, host, release }) => ({
    id: `release ${id}`,
    words: releaseWords,
    on: host === null ? name : `${name} on ${host.name}`,
    refused: release.allowed ? null : (release.reason ?? "not possible now"),
    path: routes.instances({ release: id }),
    command: `release ${id}`,
  }));
}

async function ofBrakes(backend: Backend, actor: Actor, text: string): Promise<readonly FoundAct[]> {
  if (reachOf(actor.role, brakeOperations.lift.right) !== "any") return [];
  const [lift, engage] = [typedAct(text, brakeActs.lift), typedAct(text, brakeActs.engage)];
  if (lift === null && engage === null) return [];
  // "lift brake" names one of them better than the other, "brake" both.
  const best = Math.max(lift?.score ?? 0, engage?.score ?? 0);
  const queue = await getQueue(backend, actor);
  if (!queue.ok) return [];
  const inForce = queue.value.brakes.filter(({ liftedAt }) => liftedAt === null);
  const of = (typed: typeof lift, words: string, brakes: typeof inForce, none: string, engages: boolean) => {
    if (typed?.score !== best) return [];
    if (brakes.length === 0)
      return [{ id: words, words, on: null, refused: none, path: routes.cleaning.queue(), command: null }];
    return brakes
      .map((brake) => ({ brake, on: `${formatGroup(brake)} at site ${brake.site}` }))
      .filter(({ on }) => on.toLowerCase().includes(typed.target.toLowerCase()))
      .map(({ brake, on }): FoundAct => ({
        id: `${words} ${brake.id}`,
        words,
        on,
        refused: null,
        path: routes.cleaning.queue(engages ? { engage: brake.id } : { lift: brake.id }),
        command: engages ? `brakes engage ${brake.id}` : `brakes lift ${brake.id} --reason <why>`,
      }));
  };
  const asking = inForce.filter(({ asks }) => asks.length > 0);
  const on = inForce.filter(({ asks }) => asks.length === 0);
  return [
    ...of(lift, brakeActs.lift, on, "no brake is on", false),
    ...(asking.length === 0 ? [] : of(lift, brakeActs.dismiss, asking, "", false)),
    ...of(engage, brakeActs.engage, asking, "no brake asks to be put on", true),
  ];
}

/** Those that are possible first. A token that may only read is offered none. */
export async function findActs(
  backend: Backend,
  actor: Actor,
  text: string,
  hostsNamed: (text: string) => Promise<readonly string[]>,
): Promise<readonly FoundAct[]> {
  if (actor.readOnly === true) return [];
  const found = await Promise.all([
    ofBrakes(backend, actor, text),
    ofInstances(backend, actor, text),
    ofHosts(backend, actor, text, hostsNamed),
  ]);
  return found
    .flat()
    .toSorted((a, b) => Number(a.refused !== null) - Number(b.refused !== null))
    .slice(0, most);
}
