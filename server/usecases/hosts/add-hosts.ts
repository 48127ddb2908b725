// Adds hosts in Enroll. An existing debt of their chassis or drives is left as it is, and applies to them again (docs/design/lifecycle.md#sanitization-debt).
// So does an erase that was left running when a host was deleted: until it ends, no power action is permitted.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import { onlySystem, systemInDriverInfo } from "@/server/domain/hardware/bmc-system";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { Transaction } from "@/server/db/prisma";
import { isUniqueViolation } from "@/server/db/transaction";
import type { HostCredential } from "@/server/domain/hosts/enrolment/check-lines";
import { credentialsOf } from "@/server/usecases/sites/write-credentials";
import type { ActContext } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** A new host. Null members are read from its BMC at Verifying. */
export interface NewHost {
  readonly id: string;
  readonly name: string;
  readonly skuId: string | null;
  readonly rack: string | null;
  readonly slot: string | null;
  readonly hardwareType: string;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly systemUuid: string | null;
  readonly bmcCertificate?: string | null;
  readonly firstContactAccepted?: boolean;
  /** What the BMC must report. */
  readonly expectedSerial?: string | null;
  readonly expectedSystemUuid?: string | null;
  readonly hardwareTypeOpen?: boolean;
  readonly macs: string[];
  readonly bmcAddress: string;
  readonly bmcSystem: string;
  readonly credential: HostCredential;
  readonly networkInterfaces: string[];
  readonly labels: Record<string, string>;
}

/** Writes validated hosts, each in Enroll with its ports. A name or address that was taken meanwhile is a conflict. */
export async function addHosts(
  { tx, secrets }: Pick<ActContext, "tx" | "secrets">,
  siteId: string,
  hosts: readonly NewHost[],
): Promise<Outcome<readonly NewHost[]>> {
  const copyOf = await credentialsOf({ tx, secrets }, siteId);
  const signIn = (id: string, credential: HostCredential) => {
    if (credential.kind === "own")
      return {
        bmcUsername: credential.username,
        bmcPassword: secrets.seal(credential.password, secretPlaces.bmcPassword(id)),
      };
    const copy = copyOf(credential.name, id);
    if (copy === undefined) throw new Error(`the site has no set of BMC credentials ${credential.name}`);
    return copy;
  };
  try {
    await tx.host.createMany({
      data: hosts.map(({ credential, ...host }) => ({ ...host, siteId, ...signIn(host.id, credential) })),
    });
    await addPorts(tx, hosts);
  } catch (error) {
    if (isUniqueViolation(error))
      return refused(
        "conflict",
        "A host with one of these names, addresses or MAC addresses exists already.",
      );
    throw error;
  }
  await addRecords(tx, hosts);
  await beginRuns(
    tx,
    siteId,
    hosts.map(({ id, name, serial, expectedSerial = null }) => ({
      id,
      name,
      serial: serial ?? expectedSerial,
    })),
  );
  return done(hosts);
}

const addPorts = (
  tx: Transaction,
  hosts: readonly { readonly id: string; readonly macs: readonly string[] }[],
) =>
  tx.nodePort.createMany({
    data: hosts.flatMap(({ id, macs }) => [...new Set(macs)].map((address) => ({ hostId: id, address }))),
  });

/** Ironic's clients read a host's system there. */
const addRecords = (tx: Transaction, hosts: readonly Pick<NewHost, "id" | "bmcSystem">[]) =>
  tx.nodeRecord.createMany({
    data: hosts.flatMap(({ id, bmcSystem }) =>
      bmcSystem === onlySystem ? [] : [{ hostId: id, driverInfo: systemInDriverInfo(bmcSystem) }],
    ),
  });

/** Each run is in Enroll, with its first line of history. A host in a chassis that a deleted host left erasing records that, if its chassis is known. */
async function beginRuns(
  tx: Transaction,
  siteId: string,
  hosts: readonly { readonly id: string; readonly name: string; readonly serial: string | null }[],
): Promise<void> {
  const erases = await erasesLeft(
    tx,
    hosts.flatMap(({ serial }) => serial ?? []),
  );
  await tx.hostRun.createMany({
    data: hosts.map(({ id, name, serial }) => {
      // safety: enroll: what a deleted host left erasing (null)
      const eraseUntil = (serial === null ? null : erases.get(serial)) ?? null;
      return {
        hostId: id,
        siteId,
        name,
        state: "Enroll",
        ...(eraseUntil === null
          ? {}
          : {
              erasing: true,
              context: { ...emptyContext(), eraseUntil: eraseUntil.toISOString() },
            }),
      };
    }),
  });
  await tx.stateHistory.createMany({
    data: hosts.map(({ id }) => ({
      hostId: id,
      version: 1,
      state: "Enroll",
      reason: "enrolled",
      generation: 0,
    })),
  });
}

/** Until when an erase may continue in a chassis whose host was deleted, by serial number. Removes expired rows. */
async function erasesLeft(tx: Transaction, serials: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  await execute(tx, sql`DELETE FROM chassis_erase WHERE erase_until <= now()`);
  const rows = await tx.chassisErase.findMany({ where: { chassisSerial: { in: [...serials] } } });
  return new Map(rows.map(({ chassisSerial, eraseUntil }) => [chassisSerial, eraseUntil]));
}
