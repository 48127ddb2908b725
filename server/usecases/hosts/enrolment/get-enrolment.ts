// Progress of an enrolment: how many hosts are at each stage, and its lines in pages.
import { sql } from "kysely";
import { z } from "zod";
import type {
  enrolment as contract,
  EnrolmentHead,
  EnrolmentLine,
  EnrolmentView,
} from "@/server/contract/hosts/enrolment";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { adviceOf, enrolmentGoals, firstContacts, isMoving } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentStage } from "@/server/domain/hosts/enrolment/progress";
import type { HostRow } from "@/server/contract/hosts/hosts-answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { numberPart, pagesOf } from "@/server/usecases/cursor";
import { readLines } from "@/server/usecases/hosts/enrolment/enrolment-lines";
import type { StagedLine } from "@/server/usecases/hosts/enrolment/enrolment-lines";
import { alikeStops } from "@/server/usecases/hosts/enrolment/stop-reasons";
import { selectRows, toHostRow } from "@/server/usecases/hosts/list/host-rows";
import type { HostRowRecord } from "@/server/usecases/hosts/list/host-rows";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { perDatabase } from "@/server/usecases/timed-cache";

interface HeadRecord {
  readonly id: string;
  readonly site: string;
  readonly at: Date;
  readonly by_name: string;
  readonly goal: string;
  readonly first_contact: string;
  readonly file_name: string | null;
  readonly lines: number;
}

const oneOf = <Word extends string>(words: readonly Word[], text: string): Word => {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new Error(`${text} is not known to this version`);
  return found;
};

const toHead = (row: HeadRecord): EnrolmentHead => ({
  id: row.id,
  site: row.site,
  at: row.at,
  byName: row.by_name,
  goal: oneOf(enrolmentGoals, row.goal),
  firstContact: oneOf(firstContacts, row.first_contact),
  fileName: row.file_name,
  lines: row.lines,
});

const heads = sql`SELECT e.id::text, s.name AS site, e.at, e.by_name, e.goal, e.first_contact, e.file_name,
  (SELECT count(*)::int FROM enrolment_line l WHERE l.enrolment_id = e.id) AS lines FROM enrolment e JOIN site s ON s.id = e.site_id`;

/** Null if there is none. */
export async function readHead(database: SqlReader, id: string): Promise<EnrolmentHead | null> {
  const [row] = await queryRows(database, sql<HeadRecord>`${heads} WHERE e.id = ${id}::uuid`);
  return row === undefined ? null : toHead(row);
}

/** Shared by everybody who watches the same enrolment. */
const cacheOf = perDatabase<readonly StagedLine[]>("enrolmentLines", { ttlMs: 1_000, max: 20 });

async function hostRows(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, HostRow>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows(
    database,
    sql<HostRowRecord>`${selectRows(sql`SELECT unnest(${[...ids]}::uuid[]) AS host_id`, sql`r.name`)}`,
  );
  return new Map(rows.map((row) => [row.host_id, toHostRow(row)]));
}

const saysOf = (line: StagedLine, host: HostRow | undefined): string => {
  switch (line.stage) {
    case "refused":
      return "Not enrolled";
    case "gone":
      return "Deleted since";
    case "stopped":
      return line.lastError ?? host?.detail ?? "Verification of its BMC was not requested";
    case "confirm":
      return "Its BMC was read, but nobody has confirmed yet that it is the right machine";
    default:
      return host?.detail ?? "";
  }
};

function toLine(line: StagedLine, host: HostRow | undefined): EnrolmentLine {
  const { words, acts } = adviceOf(
    line.stage,
    line.state,
    line.certificate?.confirmed === false ? "unconfirmed" : "confirmed",
  );
  const { identity } = line;
  return {
    line: line.line,
    name: line.name,
    stage: line.stage,
    host: host ?? null,
    identity: identity.serial === null && identity.manufacturer === null ? null : identity,
    certificate: line.certificate,
    pinned: line.pinned,
    says: saysOf(line, host),
    advice: words,
    acts: [...acts],
    faults: [...line.faults],
  };
}

type EnrolmentRequest = z.output<typeof contract.get.input>;

/** Number of the line. */
const pages = pagesOf<[number]>("enrolment", z.tuple([numberPart]));

export async function getEnrolment(
  { database }: Backend,
  actor: Actor,
  { id, stages, cursor, limit }: EnrolmentRequest,
): Promise<Outcome<EnrolmentView>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const [after] = start.value ?? [0];
  const head = await readHead(database, id);
  if (head === null) return notFound("enrolment", id);
  const lines = await cacheOf(database).get(id, () => readLines(database, id, head.goal));
  const count = (stage: EnrolmentStage) => lines.filter((line) => line.stage === stage).length;
  const chosen = lines.filter(
    ({ line, stage }) => line > after && (stages.length === 0 || stages.includes(stage)),
  );
  const { page, nextCursor } = pages.page(chosen, limit, ({ line }) => [line]);
  const alike = alikeStops(lines);
  const rows = await hostRows(
    database,
    [...page, ...alike.map(({ first }) => first)].flatMap(({ state, hostId }) =>
      state === null || hostId === null ? [] : [hostId],
    ),
  );
  return done({
    ...head,
    counts: {
      refused: count("refused"),
      stopped: count("stopped"),
      confirm: count("confirm"),
      verifying: count("verifying"),
      cleaning: count("cleaning"),
      done: count("done"),
      gone: count("gone"),
    },
    over: !lines.some(({ stage }) => isMoving(stage)),
    reasons: alike.map(({ first, hosts }) => {
      const { name, says, advice, acts } = toLine(first, rows.get(first.hostId ?? ""));
      return { name: name ?? "", hosts, says, advice, acts };
    }),
    rows: page.map((line) => toLine(line, rows.get(line.hostId ?? ""))),
    nextCursor,
  });
}

const listed = 50;

export async function listEnrolments(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly EnrolmentHead[]>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const rows = await queryRows(database, sql<HeadRecord>`${heads} ORDER BY e.at DESC, e.id LIMIT ${listed}`);
  return done(rows.map(toHead));
}
