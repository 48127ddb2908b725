// Corrects how the BMC of a host is reached, and what it is expected to say. A password goes in and never comes out.
import { sql } from "kysely";
import type { z } from "zod";
import { host as contract } from "@/server/contract/host";
import { execute, queryRows } from "@/server/db/sql";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { isUniqueViolation } from "@/server/db/transaction";
import { passwordMoves, passwordMovesWords } from "@/server/domain/hardware/stored-password";
import { actionRefusal, noMaintenance } from "@/server/domain/hosts/action-refusal";
import { defineAct } from "@/server/usecases/define-act";
import type { Change } from "@/server/usecases/define-act";
import { askedAgain } from "@/server/usecases/enrolment/again";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { done, refused } from "@/server/usecases/problem";

type Input = z.output<typeof contract.setBmc.input>;

interface BmcRow {
  readonly address: string | null;
  readonly username: string | null;
  readonly hasPassword: boolean;
  readonly certificate: string | null;
  readonly serial: string | null;
  readonly expectedSerial: string | null;
}

/** For the log: that a password was changed, and never which. */
function auditOf(row: BmcRow, input: Input): Pick<Change, "before" | "after"> {
  const { address, username, password, certificate, expectedSerial, macs = [] } = input;
  return {
    before: { address: row.address, username: row.username, certificate: row.certificate },
    after: {
      address: address ?? row.address,
      username: username ?? row.username,
      certificate: certificate ?? row.certificate,
      ...(password === undefined ? {} : { passwordChanged: true }),
      ...(expectedSerial === undefined ? {} : { expectedSerial }),
      ...(macs.length === 0 ? {} : { macs: [...macs] }),
    },
  };
}

export const setBmc = defineAct({
  ...contract.setBmc,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    await lockRun(tx, hostId);
    const [row] = await queryRows(
      tx,
      sql<BmcRow>`SELECT bmc_address AS address, bmc_username AS username, bmc_password IS NOT NULL AS "hasPassword", bmc_certificate AS certificate, serial, expected_serial AS "expectedSerial"
        FROM host WHERE id = ${hostId}::uuid FOR UPDATE`,
    );
    const facts = await readHostFacts(tx, sql`r.host_id = ${hostId}::uuid`);
    return row === undefined || facts === null
      ? null
      : { id: hostId, belongs: { tenantId: null }, value: { row, facts } };
  },
  run: async ({ tx, secrets, by }, { row, facts }, input) => {
    const { hostId, address, username, password, certificate, expectedSerial, macs = [], retry } = input;
    const no = actionRefusal("setBmc", facts, noMaintenance);
    if (no !== null) return refused("notAllowedNow", `${no.charAt(0).toUpperCase()}${no.slice(1)}.`);
    const asExpected = row.expectedSerial === null || row.expectedSerial === row.serial;
    if (expectedSerial !== undefined && row.serial !== null && asExpected)
      return refused(
        "notAllowedNow",
        "The host's serial number is known already and does not change.",
        "expectedSerial",
      );
    // safety: credentials: a stored password stays at its address
    if (passwordMoves(row, { address, password })) return refused("invalid", passwordMovesWords, "password");
    const moved = address !== undefined && address !== row.address;
    try {
      await tx.host.update({
        where: { id: hostId },
        data: {
          ...(address === undefined ? {} : { bmcAddress: address }),
          // Its own take the place of its set, which no longer changes them (docs/sites.md#bmc-credentials).
          ...(username === undefined && password === undefined ? {} : { bmcCredentialId: null }),
          ...(username === undefined ? {} : { bmcUsername: username }),
          ...(password === undefined
            ? {}
            : { bmcPassword: secrets.seal(password, secretPlaces.bmcPassword(hostId)) }),
          ...(certificate === undefined ? {} : { bmcCertificate: certificate }),
          ...(expectedSerial === undefined ? {} : { expectedSerial }),
          updatedAt: new Date(),
        },
        select: { id: true },
      });
    } catch (error) {
      if (isUniqueViolation(error))
        return refused("conflict", "Another host has this BMC address.", "address");
      throw error;
    }
    // What the BMC at the old address showed is not for confirming the new one.
    if (moved) await execute(tx, sql`UPDATE host SET certificate_seen = NULL WHERE id = ${hostId}::uuid`);
    const ports = await tx.nodePort.createMany({
      data: macs.map((mac) => ({ hostId, address: mac })),
      skipDuplicates: true,
    });
    if (ports.count < new Set(macs).size)
      return refused("conflict", "One of these MAC addresses is a port of a host already.", "macs");
    return done({
      value: { accepted: true as const },
      changes: [{ targetId: hostId, tenantId: null, ...auditOf(row, input) }],
      tell: {
        signals: retry ? await askedAgain(tx, facts, by) : [],
        feed: [{ hostId, tenantId: null, what: "settings" }],
      },
    });
  },
});
