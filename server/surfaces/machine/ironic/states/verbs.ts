// Ironic's provision verbs: the version that brought each, the states that it is taken in, and the act of ours that it is (docs/api-ironic.md#provision-state).
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { abortCleaning, resumeCleaning } from "@/server/usecases/cleaning/interrupt";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { provideHost } from "@/server/usecases/hosts/acts/provide-host";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import type { Outcome } from "@/server/usecases/problem";
import { notFound } from "@/server/usecases/problem";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

export interface Target {
  readonly hostId: string;
  readonly instanceId: string | null;
}

interface Asker {
  readonly backend: Backend;
  readonly actor: Actor;
  readonly facts: Request;
}

export interface Verb {
  readonly since: Microversion;
  /** Ironic's states. */
  readonly from: ReadonlySet<string>;
  /** Null: `clean`, which takes a list of steps, and the verbs that no state allows. */
  readonly act: ((asker: Asker, target: Target) => Promise<Outcome<unknown>>) | null;
}

const verb = (since: Microversion, from: readonly string[], act: Verb["act"]): Verb => ({
  since,
  from: new Set(from),
  act,
});

/** Reclaim deploys, inspects, rescues and services nothing: no state allows these. */
const never = (since: Microversion): Verb => verb(since, [], null);

const release: Verb["act"] = async ({ backend, actor, facts }, { hostId, instanceId }) =>
  instanceId === null
    ? notFound("instance on host", hostId)
    : releaseInstance(backend, actor, facts, { instanceId });

/** Ironic waits in `deploying` for itself; our host waits there for the network, so giving it up is taken there too. */
const held = ["deploying", "wait call-back", "active", "error"];

const table: Readonly<Record<string, Verb>> = {
  manage: verb(4, ["enroll", "available", "clean failed"], ({ backend, actor, facts }, { hostId }) =>
    manageHost(backend, actor, facts, { hostId }),
  ),
  provide: verb(4, ["manageable"], ({ backend, actor, facts }, { hostId }) =>
    provideHost(backend, actor, facts, { hostId }),
  ),
  clean: verb(15, ["manageable"], null),
  abort: verb(13, ["clean wait", "clean hold"], ({ backend, actor, facts }, { hostId }) =>
    abortCleaning(backend, actor, facts, { hostId }),
  ),
  unhold: verb(85, ["clean hold"], ({ backend, actor, facts }, { hostId }) =>
    resumeCleaning(backend, actor, facts, { hostId }),
  ),
  deleted: verb(1, held, release),
  undeploy: verb(73, held, release),
  active: never(1),
  deploy: never(73),
  rebuild: never(1),
  inspect: never(6),
  adopt: never(17),
  rescue: never(38),
  unrescue: never(38),
  service: never(87),
};

/** Null for a word that is no verb. */
export const verbOf = (target: string): Verb | null =>
  Object.hasOwn(table, target) ? (table[target] ?? null) : null;
