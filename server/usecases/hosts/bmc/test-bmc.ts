// Has the BMC of a host, or of each host of an enrolment, tested at a person's request (docs/hardware.md#test-bmc). A controller does it.
import { sql } from "kysely";
import { bmc as contract } from "@/server/contract/hosts/bmc";
import type { Transaction } from "@/server/db/prisma";
import { testableSql } from "@/server/db/hot/fleet/bmc-tests";
import { execute, queryRows } from "@/server/db/sql";
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import { defineAct } from "@/server/usecases/define-act";
import { readLines } from "@/server/usecases/hosts/enrolment/enrolment-lines";
import { readHead } from "@/server/usecases/hosts/enrolment/get-enrolment";
import { done, refused } from "@/server/usecases/problem";

/** A BMC is tested no more often than this, whoever asks. */
const pauseSeconds = 10;

interface Found {
  readonly id: string;
  readonly name: string;
  /** Address, user and password are known. */
  readonly known: boolean;
  readonly wanted: boolean;
  /** Seconds until it may be tested again. */
  readonly pause: number;
  readonly testable: boolean;
}

const find = (tx: Transaction, hostIds: readonly string[]): Promise<Found[]> =>
  queryRows(
    tx,
    sql<Found>`
    SELECT h.id::text, h.name,
      h.hardware_type <> ${fakeHardwareType} AND h.bmc_address IS NOT NULL AND h.bmc_username IS NOT NULL AND h.bmc_password IS NOT NULL AS known,
      b.wanted_at IS NOT NULL AS wanted, greatest(0, ceil(extract(epoch FROM b.tested_at - now()) + ${pauseSeconds}::int))::int AS pause, ${sql.raw(testableSql)} AS testable
    FROM host h JOIN host_run r ON r.host_id = h.id LEFT JOIN bmc_test b ON b.host_id = h.id WHERE h.id = ANY(${[...hostIds]}::uuid[])`,
  );

const want = (tx: Transaction, hostIds: readonly string[]): Promise<number> =>
  execute(
    tx,
    sql`INSERT INTO bmc_test (host_id, wanted_at) SELECT unnest(${[...hostIds]}::uuid[]), now() ON CONFLICT (host_id) DO UPDATE SET wanted_at = now()`,
  );

const change = (hostId: string) => ({
  targetId: hostId,
  tenantId: null,
  before: null,
  after: { requested: true },
});
const told = (hostId: string) => ({ hostId, tenantId: null, what: "settings" as const });

export const testBmc = defineAct({
  ...contract.test,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const [host] = await find(tx, [hostId]);
    return host === undefined ? null : { id: host.id, belongs: { tenantId: null }, value: host };
  },
  run: async ({ tx }, { id, name, known, wanted, pause, testable }) => {
    if (!known)
      return refused(
        "notAllowedNow",
        `The BMC of ${name} cannot be tested: its address, user or password is not known. Enter them with Change BMC.`,
      );
    if (wanted) return refused("notAllowedNow", `A test of the BMC of ${name} is requested already.`);
    if (pause > 0)
      return refused(
        "tooMany",
        `The BMC of ${name} was tested less than ${pauseSeconds} s ago. Try again in ${pause} s.`,
      );
    await want(tx, [id]);
    return done({ value: { waits: !testable }, changes: [change(id)], tell: { feed: [told(id)] } });
  },
});

export const testEnrolment = defineAct({
  ...contract.testEnrolment,
  names: ({ id }) => ({ kind: "enrolment", id }),
  find: async ({ tx }, { id }) => {
    const head = await readHead(tx, id);
    return head === null ? null : { id, belongs: { tenantId: null }, value: head };
  },
  run: async ({ tx }, head, { id }) => {
    const open = (await readLines(tx, id, head.goal)).flatMap(({ hostId, stage }) =>
      hostId === null || stage === "done" || stage === "gone" ? [] : [hostId],
    );
    // Those that were asked for already, or were tested just now, have their report or get it.
    const hostIds = (await find(tx, open)).flatMap(({ id: hostId, known, wanted, pause }) =>
      known && !wanted && pause === 0 ? [hostId] : [],
    );
    await want(tx, hostIds);
    return done({
      value: { asked: hostIds.length },
      changes: hostIds.map(change),
      tell: { feed: hostIds.map(told) },
    });
  },
});
