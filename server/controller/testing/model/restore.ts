// Backup and restore of the model's database: rows go back, the machine does not (docs/adr/0026-a-restored-database.md).
import { pick } from "@/server/domain/pick";
import { compareMarks, databaseStatus } from "@/server/domain/database/high-water";
import { eraseEndMs } from "@/server/controller/testing/model/machine";
import { copyOf } from "@/server/controller/testing/model/copy";
import { must } from "@/server/controller/testing/model/violation";
import { openInstance, storeSignal } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

const lineage = "00000000-0000-4000-8000-000000000001";

/** What every server does every two seconds (`jobs/high-water.ts`). */
export function lookAtDatabase(world: World): void {
  const { database } = world;
  if (database.stopped) return;
  const standing = databaseStatus(
    { ...database, lineage, hasHosts: true, confirmed: database.confirmed },
    { [lineage]: world.mark },
  );
  if (standing.kind === "stopped") {
    world.seen.add("an older database was stopped");
    Object.assign(database, { stopped: true, confirmed: false });
    return;
  }
  database.sequence += 1;
  database.confirmed = true;
  world.mark = { epoch: database.epoch, sequence: database.sequence };
}

const rows = [
  "host",
  "instances",
  "debts",
  "dispositions",
  "exceptions",
  "overrides",
  "hostAutomatedClean",
  "retired",
  "bundles",
  "policy",
  "policyVersion",
  "eraseLeftUntilMs",
  "personMaintenance",
  "database",
] as const satisfies readonly (keyof World)[];

/** Keeps a copy of all rows. */
export function backUp(world: World): void {
  if (world.database.stopped || !world.database.confirmed) return;
  world.backup = copyOf(pick(world, rows));
  // Losing two seconds may go unnoticed; losing what is written after them does not.
  lookAtDatabase(world);
}

/** Replaces the rows by the copy. No later row could show an erase that still runs, so nobody restores during one. */
export function restoreBackup(world: World): void {
  if (world.backup === null || eraseEndMs(world.machine) > world.nowMs) return;
  Object.assign(world, copyOf(world.backup));
  world.database.confirmed = false;
  must(compareMarks(world.database, world.mark) < 0, "a backup is older than the mark");
  // Tokens are random, so the restored rows do not know those handed out since the backup.
  const { agent } = world.machine;
  const isKnown =
    agent !== null &&
    world.host !== null &&
    world.host.sessions.some(({ bootEpoch }) => bootEpoch === agent.tokenEpoch) &&
    agent.epoch !== null;
  if (!isKnown) world.machine.agent = null;
  world.late.length = 0;
  world.seen.add("restored");
}

/** As `usecases/database/after-restore.ts`. */
export function afterRestore(world: World): void {
  const { database, host } = world;
  if (!database.stopped) return;
  const drives = [...(host?.bmcInventory ?? []), ...(host?.agentInventory?.body.storage ?? [])]
    .filter(({ removable }) => !removable)
    .map(({ serial }) => serial);
  world.debts.push({ driveSerials: [...new Set(drives)], instanceId: "", clearedBy: null });
  world.database = {
    epoch: Math.max(database.epoch, world.mark.epoch) + 1,
    sequence: database.sequence + 1,
    stopped: false,
    confirmed: true,
  };
  if (host !== null) {
    host.signals = [];
    Object.assign(host.run, {
      allocatable: false,
      evidenceSeq: host.run.evidenceSeq + 1,
      generation: host.run.generation + 1,
      leaseOwner: host.run.outsideLease ? host.run.leaseOwner : null,
    });
    storeSignal(host, world, { kind: "databaseRestored", payload: { epoch: world.database.epoch } });
  }
  lookAtDatabase(world);
  world.seen.add("after restore");
}

/** What must not happen between a restore and its end. */
export function checkStopped(
  world: World,
  before: {
    readonly state: string | undefined;
    readonly instance: string | undefined;
    readonly confirmed: boolean;
  },
): void {
  if (world.database.confirmed || before.confirmed) return;
  must(
    world.host?.run.state !== "Ready" || before.state === "Ready",
    "no host becomes Ready in a database that may be older",
  );
  must(
    openInstance(world)?.id === before.instance || openInstance(world) === null,
    "no host is allocated in a database that may be older",
  );
}
