// No use case writes without an audit event: every file that writes is found, and must define its act with `defineAct`.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { rights } from "@/server/domain/access/access";
import { auditActions } from "@/server/domain/access/audit-actions";
import { isAct } from "@/server/usecases/define-act";
import type { Act } from "@/server/usecases/define-act";

const folder = fileURLToPath(new URL(".", import.meta.url));
const files = globSync("**/*.ts", { cwd: folder }).filter(
  (file) => !/\.i?test\.ts$/.test(file) && !/(^|\/)testing\//.test(file),
);

/** Calls that write: Prisma's methods, SQL, and our own ways to notify others of a change. */
const writes =
  /\.(create|createMany|createManyAndReturn|update|updateMany|upsert|delete|deleteMany|insertInto|updateTable|deleteFrom|\$executeRaw(Unsafe)?)\s*[(`]|(?<!\.)\bexecute(Text)?\(|\b(INSERT INTO|UPDATE \w+|DELETE FROM)\b|\b(tellWithin|signalHosts|notifyWake)\(/;

/** Files that write without being an act, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  "hosts/bmc/store-bmc-reset.ts": "how far the restart is that `bmc.reset` asked for and logged",
  "hosts/bmc/store-bmc-test.ts": "what a BMC answered to the test that `bmc.test` asked for and logged",
  "next/watch-next.ts": "what was seen at the last look, which nobody asked for",
  "cleaning/queue/wake-queued.ts": "within the acts that put on and lift a brake",
  "access/sign-in-guard.ts": "keeps counts in memory and writes no row",
  "access/known-device.ts": "computes the MAC of a cookie, and writes no row",
  "access/sign-in.ts":
    "not yet anybody's act: writes its own event for each outcome, which sign-in.itest.ts checks",
  "access/sessions.ts": "notes when a session was last used, once a minute; its acts log what they end",
  "access/sign-out.ts": "next-auth's own route calls it: writes its own event, which http.itest.ts checks",
  "hosts/bulk/ask-portion.ts":
    "a portion of what `bulk.start` was asked for, in its transaction or later: writes one event per host itself, which bulk.itest.ts checks",
  "hosts/bulk/continue-bulk.ts":
    "the later portions of what `bulk.start` was asked for and logged: see bulk/ask-portion.ts",
  "cleaning/policy/site-policy.ts":
    "the next version of a site's policy, for the acts that change it; each of them logs it",
  "define-act.ts": "the hook itself: tells and logs what each act says that it changed",
  "assurance/approvals/ask-approval.ts": "what the acts that need an approval write; each of them logs it",
  "assurance/approvals/fresh-sign-in.ts":
    "when a password was given again, for the decision, which is logged",
  "assurance/policy-changes/asking-transaction.ts":
    "the request for a change of a site, in place of what an act would have done: writes its own event, which two-people.itest.ts checks",
  "assurance/policy-changes/apply-change.ts":
    "notes the version of a change, for the decision, which is logged",
  "assurance/policy-changes/outdated.ts":
    "voids requests that can never be approved any more, and says why in their rows",
  "access/passkeys/challenges.ts":
    "what an authenticator is asked to sign, for five minutes: it changes nothing",
  "access/passkeys/use-passkey.ts": "when a passkey was used, for the act that it confirms, which is logged",
  "cleaning/images/new-candidate.ts":
    "a site's next agent image, for the acts that add one; each of them logs it",
  "sites/write-site.ts": "what `site.apply` writes, which logs it",
  "sites/write-credentials.ts": "sets of BMC credentials that `site.apply` writes, which logs it",
  "sites/site-versions.ts": "the versions that `site.apply` stores, which logs it",
  "hosts/skus/write-sku.ts": "what the acts on one SKU write; each of them logs it",
  "hosts/wake-hosts.ts": "part of the acts that change what a host is decided by, in their transaction",
  "hosts/attestation/bundle-rows.ts": "locks a row for the act on it, and writes none",
  "hosts/attestation/judge-again.ts":
    "part of the acts that change a bundle or decide about it, in their transaction",
  "hosts/rollouts/decide-rollouts.ts":
    "what open rollouts decide about each host: its log is firmware_rollout_host, and why it paused is in its row",
  "hosts/rollouts/rollout-rows.ts":
    "locks a row for the acts on rollouts and for what decides, and writes none",
  "hosts/skus/wake-waiting.ts": "makes hosts due for the acts that write SKUs, which log it",
  "hosts/add-hosts.ts": "what `host.enroll` writes, which logs each host",
  "hosts/nodes/insert-node.ts": "what `node.create` writes, which logs it",
  "hosts/nodes/port-rows.ts": "locks a row, and the MACs of a host that the acts on its ports write and log",
  "hosts/nodes/node-facts.ts": "locks rows and writes none",
  "hosts/maintenance/maintenance.ts": "what the acts on one host and on many write; each of them logs it",
  "repair/leases/write-lease.ts":
    "what a take, a hand-over, a return and a break write; each of them logs it",
  "repair/leases/outside.ts":
    "writes by the token of a repair system: each logs its own event, which leases.itest.ts checks; notes when a token was last used",
  "repair/health/stored-reports.ts": "what every change of a health report writes; health_change is its log",
  "repair/health/bmc-health.ts": "a reading of a host's health by Reclaim itself; health_change is its log",
  "repair/health/post-report.ts": "notes when a source's token was last used, once a minute",
  "repair/health/write-reports.ts":
    "what the acts on a host's health and its sources write; the acts log it, and each change is kept",
  "repair/begin-repair.ts": "the label with which a repair begins, for the claim, which is logged",
  "break-fix/stored-tickets.ts":
    "what the acts on tickets write, which log it, and what comes with a release or a repair, which is logged",
  "break-fix/announce.ts": "what webhooks are told, for what is logged",
  "break-fix/watch-capacity.ts": "what a look found: its log is capacity_event",
  "break-fix/deliveries.ts": "what became of an event that was sent: its log is webhook_delivery",
  "break-fix/read-tickets.ts": "locks a ticket for the acts on it, and writes none",
  "break-fix/ticket-hooks.ts":
    "locks the tickets of a host, for what is logged: a release, a claim for repair",
  "sites/tenants/write-grants.ts": "what the acts on tenants and `site.apply` write; each of them logs it",
  "repair/record-repair.ts": "the record of a repair, for its claim and its release, which are logged",
  "repair/repair-status.ts":
    "label and history of an online repair, for the acts that begin and end one, which log it",
  "assurance/evidence/pieces.ts": "hashes what it hands on, and writes nothing",
  "assurance/evidence/hold-evidence.ts":
    "keeps files for the records that rest on them, which their acts log",
  "access/authenticate-token.ts": "notes when a token was last used, once a minute",
};

/** Actions with more than one act, each with its reason. */
const severalForms: Readonly<Record<string, string>> = {
  "host.enroll": "a list of which each line has its own result, or the demo's fleet, all of it or none",
  "host.clean": "a list with a fault is refused, or fails the host as Ironic's clients expect",
};

/** Ignores comments, which may mention what the code does not do, and cache updates, which do not write to the database. */
const code = (file: string): string =>
  readFileSync(`${folder}/${file}`, "utf8")
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
    .replace(/createHash\([^)]*\)\.update\(/g, "")
    .replace(/\bcacheOf\(\w+\)\.delete\(|#entries\.delete\(|\bproposals\.delete\(/g, "");

const acts = await Promise.all(
  files.map(async (file) => {
    const exported: Record<string, unknown> = await import(/* @vite-ignore */ `${folder}/${file}`);
    return {
      file,
      made: Object.values(exported).filter((value): value is Act<never, unknown> => isAct(value)),
    };
  }),
);

describe("use cases", () => {
  it("are found", () => {
    expect(files.length).toBeGreaterThan(30);
    expect(acts.flatMap(({ made }) => made).length).toBeGreaterThan(9);
  });
  it("that write are acts, or an exception with a reason", () => {
    const wrong = acts.filter(
      ({ file, made }) =>
        writes.test(code(file)) &&
        made.length === 0 &&
        !Object.hasOwn(exceptions, file) &&
        !/define(Sql)?Act\(/.test(code(file)),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });
  it("have no exception that is not needed", () =>
    expect(
      Object.keys(exceptions).filter((file) => !files.includes(file) || !writes.test(code(file))),
    ).toEqual([]));
  it("cannot hide a write from this test", () => {
    for (const hidden of [
      "await tx.host.create({})",
      "tx.$executeRaw`x`",
      "execute(tx, sql`x`)",
      "executeText(tx, x, [])",
      'sqlOf(tx).updateTable("host")',
      'sqlOf(tx).insertInto("host")',
      'sqlOf(tx).deleteFrom("host")',
      "queryRows(tx, sql`WITH a AS (INSERT INTO instance (id) VALUES (1))`)",
      "await tellWithin(tx, {})",
      "UPDATE host_run SET x",
    ])
      expect(writes.test(hidden)).toBe(true);
  });
});

describe("an instance", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const sources = [
    ...globSync("{server,cli,app,agent,prisma/seed}/**/*.ts", { cwd: root }),
    ...globSync("prisma/migrations/*/*.sql", { cwd: root }),
  ].filter(
    (file) => !/\.(i?test|spec)\.ts$/.test(file) && !/(^|\/)(testing|generated|node_modules)\//.test(file),
  );
  // Whatever else made one would pass by what a claim refuses: a host in doubt, one past its exception, one that owes.
  it("is made by a claim only", () => {
    expect(sources.length).toBeGreaterThan(1_000);
    const makes = /INSERT INTO "?instance"?[\s(]|insertInto\("instance"\)|\.instance\.(create|upsert)/;
    expect(sources.filter((file) => makes.test(readFileSync(`${root}/${file}`, "utf8")))).toEqual([
      "server/usecases/instances/claim-host.ts",
    ]);
  });
});

describe("each act", () => {
  const made = acts.flatMap(({ file, made: exported }) => exported.map((act) => ({ file, act })));
  it("has an action of its own", () => {
    const actions = new Map<string, unknown>();
    for (const { act } of made) {
      if (Object.hasOwn(severalForms, act.action)) continue;
      expect(actions.get(act.action) ?? act, act.action).toBe(act);
      actions.set(act.action, act);
    }
  });
  it.each(made.map(({ file, act }) => [act.action, act.right, file]))(
    "%s has a known action and right (%s, in %s)",
    (action, right) => {
      expect(Object.keys(auditActions)).toContain(action);
      expect(rights).toContain(right);
    },
  );
});
