// `reclaim witness` and a server's log that it cosigns: consistent checkpoints are cosigned, a fork is refused, and an auditor sees both.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { commandByRole } from "@/cli/testing/against-server";
import { run } from "@/cli/run";
import { loadEnvironmentConfig } from "@/cli/surroundings";
import { PassThrough } from "node:stream";
import { join } from "node:path";
import { askWitness } from "@/server/jobs/audit-log/witnesses";
import { writeAudit } from "@/server/db/audit";
import { sqlOf } from "@/server/db/sql";
import { checkProof } from "@/server/domain/audit-log/check-proof";
import { parsePolicy } from "@/server/domain/audit-log/policy";
import type { AskedWitness } from "@/server/domain/audit-log/policy";
import { addFirstKey, readPublicKeys } from "@/server/db/audit-log/keys";
import { readCheckpoint, readCosigned } from "@/server/db/audit-log/log-rows";
import { readEventProof } from "@/server/db/audit-log/event-proof";
import { signNews } from "@/server/db/audit-log/sign";
import { numberAll } from "@/server/db/audit-log/testing/number-all";
import { systemEvent } from "@/server/db/testing/system-event";
import { formatKey, parseKey } from "@/server/domain/audit-log/note";

const { started, as, database } = commandByRole();
const pool = () => started().server.pool;
const secrets = () => started().server.world.backend.secrets;
let key = "";

const write = async (): Promise<void> => {
  await as("provider-admin", "hosts", "set-bmc", "none", "--username", "x");
  await pool().query(
    "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES (gen_random_uuid(), 'system', 'host.retry', 'done')",
  );
  await numberAll(pool());
  await signNews(pool(), secrets());
};

/** Runs `reclaim witness` in this process until it is interrupted. */
async function startWitness(name: string): Promise<AskedWitness & { readonly stop: () => Promise<void> }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const interrupted = new AbortController();
  const code = run({
    args: [
      "witness",
      "--key",
      key,
      "--state",
      join(started().command.folder, name),
      "--name",
      `${name}.test/w`,
      "--port",
      "0",
    ],
    environment: loadEnvironmentConfig({}),
    home: started().command.home,
    stdin,
    stdout,
    stderr,
    now: () => new Date(),
    interrupted: interrupted.signal,
  });
  let said = "";
  let printed = "";
  stderr.on("data", (piece: Buffer) => void (said += piece.toString()));
  stdout.on("data", (piece: Buffer) => void (printed += piece.toString()));
  while (!said.includes("port ")) await sleep(5);
  const url = `http://127.0.0.1:${/port (\d+)/.exec(said)?.[1] ?? ""}`;
  return {
    url,
    keys: printed
      .trim()
      .split("\n")
      .flatMap((line) => parseKey(line) ?? []),
    stop: async () => {
      interrupted.abort();
      await code;
    },
  };
}

const askNewest = async (witness: AskedWitness): Promise<number> =>
  askWitness(pool(), witness, (await readCheckpoint(pool())) ?? "", 0);

beforeAll(async () => {
  await addFirstKey(pool(), secrets(), "reclaim.test/audit-log");
  key = (await readPublicKeys(database()))[0]?.key ?? "";
  await write();
});

/** A proof has the quorum once both keys have cosigned a checkpoint that covers its event; the log keeps growing in the meantime. */
async function expectQuorum({ url, keys }: AskedWitness): Promise<void> {
  const watched = parsePolicy(
    [
      `log ${key}`,
      ...keys.map((one, at) => `witness w${at} ${formatKey(one)} ${url}`),
      "group both all w0 w1",
      "quorum both",
    ].join("\n"),
  );
  if (!watched.ok) throw new Error(watched.why);
  const { policy } = watched;
  const before = await readCosigned(pool(), policy);
  const id = randomUUID();
  await writeAudit(sqlOf(database()), { ...systemEvent, id });
  await numberAll(pool());
  expect(await readEventProof(pool(), id, policy)).toBeNull();
  await signNews(pool(), secrets());
  expect(await readEventProof(pool(), id, policy)).toMatchObject({ quorum: false });
  // Files are served up to the size that witnesses have cosigned, unless the last cosignature is too old.
  expect(await readCosigned(pool(), policy, { maxAgeMs: 60_000 })).toEqual(before);
  expect(await readCosigned(pool(), policy, { maxAgeMs: 0 })).toMatchObject({ quorum: false });
  await askNewest({ url, keys });
  const proof = await readEventProof(pool(), id, policy);
  expect(proof?.quorum).toBe(true);
  const checked = await checkProof(Buffer.from(proof?.entry ?? ""), proof?.proof ?? "", policy);
  expect(checked).toMatchObject({ faults: [], index: proof?.seq, witnesses: ["w0", "w1"] });
}

it("cosigns what goes on from what it has seen, also after a restart, and refuses a fork", async () => {
  const first = await startWitness("w1");
  expect(first.keys.map(({ type }) => type)).toEqual(["cosignEd25519", "cosignMlDsa44"]);
  const size = await askNewest(first);
  await write();
  // Another process asked this witness before, so this one first learns its position.
  const later = await askNewest(first);
  expect(later).toBeGreaterThan(size);
  const verified = await as(
    "auditor",
    "audit",
    "verify",
    ...[key, ...first.keys.map(formatKey)].flatMap((one) => ["--key", one]),
  );
  expect(verified.code).toBe(0);
  expect(verified.stderr.match(/Cosigned by w1\.test\/w/g)).toHaveLength(2);
  await expectQuorum(first);
  await first.stop();
  const again = await startWitness("w1");
  expect(again.keys.map(({ id }) => id)).toEqual(first.keys.map(({ id }) => id));
  // Rewrite the log, signed with its own key.
  await pool().query("TRUNCATE audit_leaf, audit_node, audit_checkpoint, audit_cosignature");
  await pool().query("UPDATE audit_tree SET size = 0, edge = ''");
  await pool().query("UPDATE audit_event SET actor_name = 'Eve'");
  await pool().query("INSERT INTO audit_pending SELECT 0, at, id FROM audit_event");
  await write();
  await expect(askNewest(again)).rejects.toThrow(/422: the log does not begin with/);
  await again.stop();
});
