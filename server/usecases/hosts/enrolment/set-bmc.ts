// Corrects how a host's BMC is reached, and what it is expected to report. Passwords are written but never returned.
import { sql } from "kysely";
import type { z } from "zod";
import { host as contract } from "@/server/contract/hosts/host";
import { execute, queryRows } from "@/server/db/sql";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { isUniqueViolation } from "@/server/db/transaction";
import { onlySystem, systemInDriverInfo } from "@/server/domain/hardware/bmc-system";
import { passwordMoves, passwordMovesText } from "@/server/domain/hardware/stored-password";
import { actionRefusal, noMaintenance } from "@/server/domain/hosts/action-refusal";
import {
  isPlaceholderSerial,
  placeholderSerialText,
} from "@/server/domain/hosts/inventory/placeholder-serial";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { Change } from "@/server/usecases/define-act";
import type { Transaction } from "@/server/db/prisma";
import { hostAt } from "@/server/usecases/hosts/host-at";
import { askedAgain } from "@/server/usecases/hosts/enrolment/again";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { changeMac } from "@/server/usecases/hosts/nodes/port-rows";
import { refused, sentence } from "@/server/usecases/problem";
import type { Problem } from "@/server/usecases/problem";

type Input = z.output<typeof contract.setBmc.input>;

interface BmcRow {
  readonly address: string | null;
  readonly system: string;
  readonly username: string | null;
  readonly hasPassword: boolean;
  readonly certificate: string | null;
  readonly serial: string | null;
  readonly expectedSerial: string | null;
}

/** For the audit log: records that a password was changed, never which. */
function auditOf(row: BmcRow, input: Input): Pick<Change, "before" | "after"> {
  const { address, system, username, password, certificate, expectedSerial, macs = [] } = input;
  return {
    before: {
      address: row.address,
      ...(system === undefined ? {} : { system: row.system }),
      username: row.username,
      certificate: row.certificate,
    },
    after: {
      address: address ?? row.address,
      ...(system === undefined ? {} : { system: system ?? onlySystem }),
      username: username ?? row.username,
      certificate: certificate ?? row.certificate,
      ...(password === undefined ? {} : { passwordChanged: true }),
      ...(expectedSerial === undefined ? {} : { expectedSerial }),
      ...(macs.length === 0 ? {} : { macs: [...macs] }),
    },
  };
}

/** Omitted members stay as they are. */
const columnsOf = (
  { hostId, address, username, password, certificate, expectedSerial }: Input,
  secrets: Pick<SecretBox, "seal">,
) => ({
  ...(address === undefined ? {} : { bmcAddress: address }),
  // The host's own credential replaces its set, whose changes no longer affect it (docs/sites.md#bmc-credentials).
  ...(username === undefined && password === undefined ? {} : { bmcCredentialId: null }),
  ...(username === undefined ? {} : { bmcUsername: username }),
  ...(password === undefined
    ? {}
    : { bmcPassword: secrets.seal(password, secretPlaces.bmcPassword(hostId)) }),
  ...(certificate === undefined ? {} : { bmcCertificate: certificate }),
  ...(expectedSerial === undefined ? {} : { expectedSerial }),
});

/** Whether the change is about the service at the address, so that it may be intended for all of its hosts. */
const isSignIn = (row: BmcRow, { username, password, certificate }: Input): boolean =>
  (username !== undefined && username !== row.username) ||
  password !== undefined ||
  certificate !== undefined;

interface Place {
  readonly hostId: string;
  readonly bmcAddress: string | null;
  readonly bmcSystem: string;
}

/** The conflict with another host that is this system of this BMC; null if there is none. */
async function anotherThere(tx: Transaction, place: Place): Promise<Problem | null> {
  const [found] = await queryRows(tx, sql<{ name: string | null }>`SELECT ${hostAt(place)} AS name`);
  const name = found?.name ?? null;
  if (name === null) return null;
  return place.bmcSystem === onlySystem
    ? {
        code: "conflict",
        field: "address",
        detail: `Host ${name} already has this BMC address. If several hosts share an address, give each its system.`,
      }
    : { code: "conflict", field: "system", detail: `Host ${name} is already this system of this BMC.` };
}

/** Ironic's clients read it there. */
const writeSystem = (tx: Transaction, { hostId, bmcSystem }: Place) =>
  execute(
    tx,
    sql`INSERT INTO node_record AS n (host_id, driver_info) VALUES (${hostId}::uuid, ${JSON.stringify(systemInDriverInfo(bmcSystem))}::jsonb)
    ON CONFLICT (host_id) DO UPDATE SET driver_info = (n.driver_info - 'redfish_system_id') || excluded.driver_info`,
  );

/** The other hosts at the address, which keep their own user name, password and certificate. */
async function othersAt(tx: Transaction, { hostId, bmcAddress }: Place): Promise<string[]> {
  const others = await tx.host.findMany({
    where: { bmcAddress: bmcAddress ?? "", id: { not: hostId } },
    select: { name: true },
    orderBy: { name: "asc" },
  });
  return others.map(({ name }) => name);
}

export const setBmc = defineAct({
  ...contract.setBmc,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    await lockRun(tx, hostId);
    const [row] = await queryRows(
      tx,
      sql<BmcRow>`SELECT bmc_address AS address, bmc_system AS system, bmc_username AS username, bmc_password IS NOT NULL AS "hasPassword", bmc_certificate AS certificate, serial, expected_serial AS "expectedSerial"
        FROM host WHERE id = ${hostId}::uuid FOR UPDATE`,
    );
    const facts = await readHostFacts(tx, sql`r.host_id = ${hostId}::uuid`);
    return row === undefined || facts === null
      ? null
      : { id: hostId, belongs: { tenantId: null }, value: { row, facts } };
  },
  run: async ({ tx, secrets, by }, { row, facts }, input) => {
    const { hostId, address, password, expectedSerial, macs = [], retry } = input;
    const no = actionRefusal("setBmc", facts, noMaintenance);
    if (no !== null) return refused("notAllowedNow", sentence(no));
    const asExpected = row.expectedSerial === null || row.expectedSerial === row.serial;
    if (expectedSerial !== undefined && row.serial !== null && asExpected)
      return refused(
        "notAllowedNow",
        "The host's serial number is already known and cannot be changed.",
        "expectedSerial",
      );
    // safety: identity: no serial by hand that many boards have
    if (expectedSerial != null && isPlaceholderSerial(expectedSerial))
      return refused("invalid", sentence(placeholderSerialText), "expectedSerial");
    // safety: credentials: a stored password stays at its address
    if (passwordMoves(row, { address, password })) return refused("invalid", passwordMovesText, "password");
    const moved = address !== undefined && address !== row.address;
    const place = {
      hostId,
      bmcAddress: address ?? row.address,
      bmcSystem: input.system === undefined ? row.system : (input.system ?? onlySystem),
    };
    const another = await anotherThere(tx, place);
    if (another !== null) return { ok: false, problem: another };
    try {
      await tx.host.update({
        where: { id: hostId },
        data: { ...columnsOf(input, secrets), bmcSystem: place.bmcSystem, updatedAt: new Date() },
        select: { id: true },
      });
    } catch (error) {
      if (isUniqueViolation(error))
        return refused("conflict", "Another host was given this BMC address at the same time.", "address");
      throw error;
    }
    if (place.bmcSystem !== row.system) await writeSystem(tx, place);
    // A certificate shown at the old address cannot be used to confirm the new one.
    if (moved) await execute(tx, sql`UPDATE host SET certificate_seen = NULL WHERE id = ${hostId}::uuid`);
    // What the other BMC was doing is not asked of this one, whose task of the same number is another one.
    if (moved || place.bmcSystem !== row.system)
      await execute(
        tx,
        // Of another generation, so that no decision that was begun before puts it back.
        sql`UPDATE host_run SET generation = generation + 1, context = jsonb_set(context, '{cleaning,job}', 'null') WHERE host_id = ${hostId}::uuid AND context #> '{cleaning,job}' IS NOT NULL`,
      );
    const ports = await tx.nodePort.createMany({
      data: macs.map((mac) => ({ hostId, address: mac })),
      skipDuplicates: true,
    });
    if (ports.count < new Set(macs).size)
      return refused("conflict", "One of these MAC addresses already belongs to a host.", "macs");
    for (const mac of macs) await changeMac(tx, hostId, null, mac);
    return acted({
      value: { accepted: true as const, others: isSignIn(row, input) ? await othersAt(tx, place) : [] },
      targetId: hostId,
      tenantId: null,
      ...auditOf(row, input),
      tell: {
        signals: retry ? await askedAgain(tx, facts, by) : [],
        feed: [{ hostId, tenantId: null, what: "settings" }],
      },
    });
  },
});
