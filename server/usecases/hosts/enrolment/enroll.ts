// Enrols one host or thousands at once: each line has its own result, and the hosts proceed on their own as far as requested (docs/enrolment.md).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import { enrolment as contract } from "@/server/contract/hosts/enrolment";
import type { Enrolled } from "@/server/contract/hosts/enrolment";
import { queryRows } from "@/server/db/sql";
import { compareLines, readLine } from "@/server/domain/hosts/enrolment/check-lines";
import type { HostToAdd, ReadLine } from "@/server/domain/hosts/enrolment/check-lines";
import type { ParsedList } from "@/server/domain/hosts/enrolment/list-rows";
import { parseHostsCsv } from "@/server/domain/hosts/enrolment/parse-csv";
import { parseHostsWorkbook } from "@/server/domain/hosts/enrolment/parse-workbook";
import { onlySystem } from "@/server/domain/hardware/bmc-system";
import { intentsOfEnrolment } from "@/server/domain/hosts/enrolment/progress";
import type { IntentActor, Signal } from "@/server/domain/lifecycle/signals";
import { unchanged, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Acted } from "@/server/usecases/define-act";
import { addHosts } from "@/server/usecases/hosts/add-hosts";
import type { NewHost } from "@/server/usecases/hosts/add-hosts";
import { readAround } from "@/server/usecases/hosts/enrolment/read-known";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { documentProblem } from "@/server/usecases/sites/document-problem";

type EnrollRequest = z.output<typeof contract.enroll.input>;

/** The lines of the request; hosts sent as cells are numbered from 1. */
function linesOf({ csv, workbook, hosts }: EnrollRequest): ParsedList | null {
  if ([csv, workbook, hosts].filter((list) => list !== undefined).length !== 1) return null;
  if (csv !== undefined) return parseHostsCsv(csv);
  if (workbook !== undefined) return parseHostsWorkbook(Buffer.from(workbook, "base64"));
  return {
    ok: true,
    lines: (hosts ?? []).map((texts, index) => ({ line: index + 1, texts, faults: [] })),
    notice: null,
  };
}

/** An enrolled host with its line. */
interface Added {
  readonly line: number;
  readonly host: NewHost;
  readonly serialGiven: boolean;
}

function newHost(host: HostToAdd, skuIds: ReadonlyMap<string, string>, firstContactAccepted: boolean): Added {
  const { line, name, bmcAddress, bmcSystem = onlySystem, credential } = host;
  return {
    line,
    serialGiven: host.serial !== undefined,
    host: {
      id: randomUUID(),
      name,
      bmcAddress,
      bmcSystem,
      credential,
      skuId: (host.sku === undefined ? undefined : skuIds.get(host.sku)) ?? null,
      rack: host.rack ?? null,
      slot: host.slot ?? null,
      hardwareType: host.hardwareType ?? "redfish",
      hardwareTypeOpen: host.hardwareType === undefined,
      manufacturer: null,
      model: null,
      serial: null,
      systemUuid: null,
      bmcCertificate: host.certificate ?? null,
      firstContactAccepted,
      expectedSerial: host.serial ?? null,
      expectedSystemUuid: host.systemUuid ?? null,
      macs: host.macs ?? [],
      networkInterfaces: host.networkInterfaces ?? [],
      labels: host.labels ?? {},
    },
  };
}

/** The signals that take a host to the enrolment's goal. */
export const signalsOf = (
  hostId: string,
  intents: readonly ("manage" | "provide")[],
  by: IntentActor,
): readonly ({ readonly hostId: string } & Signal)[] =>
  intents.map((kind) => ({ hostId, kind, payload: { by } }));

/** Stores the enrolment with all its lines. Returns its id. */
async function store(
  { tx, actor }: ActContext,
  siteId: string,
  { goal, firstContact, fileName }: EnrollRequest,
  lines: Enrolled["lines"],
): Promise<string> {
  const id = randomUUID();
  await tx.enrolment.create({
    data: {
      id,
      siteId,
      goal,
      firstContact,
      fileName: fileName ?? null,
      byId: actor.kind === "local" ? null : actor.personId,
      byName: actor.name,
    },
  });
  await tx.enrolmentLine.createMany({
    data: lines.map(({ faults, ...line }) => ({ ...line, enrolmentId: id, faults: [...faults] })),
  });
  return id;
}

/** The field of the request that has the file. */
const fieldOf = ({ workbook }: EnrollRequest): string => (workbook === undefined ? "csv" : "workbook");

const answerOf = (read: readonly ReadLine[], added: readonly Added[]): Enrolled["lines"] => {
  const ids = new Map(added.map(({ line, host }) => [line, host.id]));
  return read.map(({ line, name, faults }) => ({
    line,
    name,
    hostId: ids.get(line) ?? null,
    faults: [...faults],
  }));
};

async function write(
  context: ActContext,
  siteId: string,
  asked: EnrollRequest,
  read: readonly ReadLine[],
  added: readonly Added[],
  notice: string | null,
): Promise<Outcome<Acted<Enrolled>>> {
  const written = await addHosts(
    context,
    siteId,
    added.map(({ host }) => host),
  );
  if (!written.ok) return written;
  const lines = answerOf(read, added);
  const id = await store(context, siteId, asked, lines);
  return done({
    value: {
      id,
      site: asked.site,
      enrolled: added.length,
      refused: read.length - added.length,
      lines,
      notice,
    },
    changes: added.map(({ host: { id: hostId, name, expectedSerial = null, bmcAddress, bmcSystem } }) => ({
      targetId: hostId,
      tenantId: null,
      before: null,
      after: {
        name,
        expectedSerial,
        bmcAddress,
        ...(bmcSystem === onlySystem ? {} : { bmcSystem }),
        siteId,
        enrolment: id,
      },
    })),
    tell: {
      signals: added.flatMap(({ host, serialGiven }) =>
        signalsOf(host.id, intentsOfEnrolment(asked, serialGiven), context.by),
      ),
      feed: added.map(({ host }) => ({ hostId: host.id, tenantId: null, what: "enrolled" })),
    },
  });
}

export const enroll = defineAct({
  ...contract.enroll,
  names: ({ site }) => ({ kind: "site", id: site }),
  find: async ({ tx }, asked) => {
    const { site } = asked;
    // Before the lock, because it may take a while.
    const parsed = linesOf(asked);
    // One list at a time, so that two people who send the same list do not both write it.
    await queryRows(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended('enrolment', 0))::text`);
    const found = await tx.site.findUnique({ where: { name: site }, select: { id: true } });
    return found === null
      ? null
      : { id: site, belongs: { tenantId: null }, value: { siteId: found.id, parsed } };
  },
  run: async (context, { siteId, parsed }, asked) => {
    if (parsed === null) return refused("invalid", "Send either a file or a list of hosts.", "csv");
    if (!parsed.ok)
      return documentProblem(
        "invalid",
        parsed.faults.map(({ line, column, message }) => ({ line, column: 1, path: column, message })),
        fieldOf(asked),
      );
    const { credential, secrets } = asked;
    const alone = parsed.lines.map((line) => readLine(line, { credential, secrets }));
    const around = await readAround(context.tx, siteId, alone);
    const read = compareLines(alone, around);
    const added = read.flatMap(({ host }) =>
      host === null ? [] : [newHost(host, around.skuIds, asked.firstContact === "accept")],
    );
    if (!asked.dryRun && added.length > 0) return write(context, siteId, asked, read, added, parsed.notice);
    return unchanged({
      id: null,
      site: asked.site,
      enrolled: added.length,
      refused: read.length - added.length,
      lines: answerOf(read, []),
      notice: parsed.notice,
    });
  },
});
