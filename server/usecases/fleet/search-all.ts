// The command palette: finds hosts, instances, reclamations and tenants by what a person has at hand, what can be done, lists and pages. A tenant finds
// only its own.
import { sql } from "kysely";
import { containing, startingWith } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { reachOf } from "@/server/domain/access/access";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { storedState } from "@/server/domain/lifecycle/states";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findActs } from "@/server/usecases/fleet/find/find-acts";
import { findHelp } from "@/server/usecases/fleet/find/find-help";
import { findLists } from "@/server/usecases/fleet/find/find-lists";
import { findPlaces } from "@/server/usecases/fleet/find/find-places";
import { listInstances } from "@/server/usecases/instances/list-instances";
import { findReclamation } from "@/server/usecases/reclamations/list-reclamations";
import { findsDrives, readDriveRows } from "@/server/usecases/hosts/drives/drive-rows";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { FoundPlace, SearchAnswer } from "@/server/contract/fleet/search-answers";

const most = 8;
const maxTenants = 4;
const maxDrives = 5;

/** A drive's full serial number, as last read by the BMC or the agent. The index does not support partial matches. */
const withDrive = (text: string) => sql`(
  SELECT v.host_id FROM host_inventory v
  WHERE v.body -> 'storage' @> ${JSON.stringify([{ serial: text }])}::jsonb OR v.body -> 'storage' @> ${JSON.stringify([{ serial: text.toUpperCase() }])}::jsonb)`;

async function findHosts(database: Database, text: string): Promise<SearchAnswer["hosts"]> {
  const rows = await queryRows(
    database,
    sql<{
      id: string;
      name: string;
      state: string;
      serial: string | null;
      model: string | null;
      has_drive: boolean;
    }>`
    WITH drives AS (SELECT DISTINCT host_id FROM ${withDrive(text)} d)
    SELECT r.host_id::text AS id, r.name, r.state, h.serial, h.model, r.host_id IN (SELECT host_id FROM drives) AS has_drive
    FROM host_run r JOIN host h ON h.id = r.host_id
    WHERE r.name ILIKE ${containing(text)} OR h.serial ILIKE ${containing(text)} OR r.host_id IN (SELECT host_id FROM drives)
    ORDER BY (lower(r.name) = lower(${text})) DESC, has_drive DESC, (r.name ILIKE ${startingWith(text)}) DESC, r.name LIMIT ${most}`,
  );
  return rows.map(({ id, name, serial, model, has_drive, ...row }) => {
    const state = storedState(row.state);
    const { tone, label } = describeState(state);
    return {
      id,
      name,
      state,
      tone,
      words: [label, has_drive ? `has drive ${text}` : null, model, serial]
        .filter((part) => part !== null)
        .join(", "),
    };
  });
}

/** By its number: "R-42" or "42". */
async function byNumber(backend: Backend, actor: Actor, text: string): Promise<SearchAnswer["reclamations"]> {
  const found = await findReclamation(backend, actor, { number: text });
  if (!found.ok) return [];
  const { id, number, hostName, kind, outcome, endedAt, stoppedAt } = found.value;
  const standing = endedAt !== null ? outcome : stoppedAt !== null ? "stopped" : "running";
  return [{ id, number, hostName, words: [kind, standing].filter((part) => part !== null).join(", ") }];
}

/** A shorter text is part of nearly every drive's serial number. */
const fewestOfDrive = 3;

/** By part of the serial number, model or firmware; an exact serial number comes first. */
async function findSomeDrives(database: Database, text: string): Promise<SearchAnswer["drives"]> {
  if (text.length < fewestOfDrive) return [];
  const rows = await readDriveRows(database, findsDrives(text), {
    order: sql`(lower(d.serial) = lower(${text})) DESC, (lower(d.serial) LIKE ${startingWith(text.toLowerCase())}) DESC, d.serial, d.model`,
    limit: maxDrives,
  });
  return rows.map(({ id, serial, model, stay }) => ({
    id,
    serial,
    words: [
      model,
      stay === null ? null : `${stay.until === null ? "in" : "last in"} ${stay.host.name ?? stay.host.id}`,
    ]
      .filter((part) => part !== null)
      .join(", "),
  }));
}

async function findTenants(database: Database, text: string): Promise<SearchAnswer["tenants"]> {
  const like = { contains: text, mode: "insensitive" as const };
  const rows = await database.tenant.findMany({
    where: { OR: [{ org: like }, { name: like }] },
    orderBy: { name: "asc" },
    take: maxTenants,
    select: { id: true, org: true, name: true },
  });
  return rows.map(({ id, org, name }) => ({ id, name, words: org, filter: `tenant:${org}` }));
}

/** Null: the docs cannot be read, which must not keep anything else from being found. */
const foundHelp = (text: string): Promise<readonly FoundPlace[] | null> => findHelp(text).catch(() => null);

const nothing: SearchAnswer = {
  hosts: [],
  drives: [],
  instances: [],
  reclamations: [],
  tenants: [],
  acts: [],
  lists: [],
  places: [],
  helpUnread: false,
};

export async function searchAll(
  backend: Backend,
  actor: Actor,
  query: { readonly text: string },
): Promise<Outcome<SearchAnswer>> {
  const scope = scopeOf(actor, "search");
  if (!scope.ok) return scope;
  const text = query.text.trim().slice(0, 100);
  if (text === "") return done(nothing);
  const { database } = backend;
  const seesHosts = reachOf(actor.role, "host.read") === "any";
  const hostsNamed = async (name: string) => (await findHosts(database, name)).map((host) => host.name);
  const [hosts, drives, reclamations, tenants, instances, acts, lists, help] = await Promise.all([
    seesHosts ? findHosts(database, text) : [],
    seesHosts ? findSomeDrives(database, text) : [],
    seesHosts ? byNumber(backend, actor, text) : [],
    seesHosts ? findTenants(database, text) : [],
    listInstances(backend, actor, { text, status: "all", cursor: null, limit: most }),
    findActs(backend, actor, text, hostsNamed),
    reachOf(actor.role, "host.list") === "any" ? findLists(database, text) : [],
    foundHelp(text),
  ]);
  if (!instances.ok) return instances;
  return done({
    hosts,
    drives,
    reclamations,
    tenants,
    acts,
    lists,
    places: [...findPlaces(actor, text), ...(help ?? [])],
    helpUnread: help === null,
    instances: instances.value.rows.map(({ id, name, status, tenantName, host, hostWords }) => ({
      id,
      name,
      hostName: host?.name ?? null,
      words: [status, host === null ? hostWords : tenantName].filter((part) => part !== null).join(", "),
    })),
  });
}
