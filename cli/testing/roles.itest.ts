// Every command, once per role and once without a token: allowed, or refused with exit code 3 and a message, as the access table says.
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operationOf } from "@/cli/call";
import { rows } from "@/cli/commands/rows";
import type { Row } from "@/cli/define/command";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer, type AgainstServer } from "@/cli/testing/against-server";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { reachOf, type Right } from "@/server/domain/access/access";
import { roles, type Role } from "@/server/domain/access/roles";
import { hashPassword } from "@/server/db/secrets/passwords";
import { isWhole } from "@/server/testing/drawn";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { testProcedure } from "@/server/domain/assurance/procedures/testing/procedures";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { claimHost } from "@/server/usecases/instances/claim-host";

const { ok, forbidden } = exitCodes;

/** Arguments of the commands that need some. */
const args: Readonly<Record<string, string>> = {
  "next show": "none",
  "next take": "none",
  "next hand-over": "none nobody",
  "next put-back": "none",
  "next note": "none --text x",
  "next snooze": "none --until 2099-01-01 --reason x",
  "next wake": "none",
  "hosts show": "h-1",
  "hosts history": "h-1",
  "hosts traits": "h-1 CUSTOM_A",
  "hosts save-view": "mine is:ready",
  "hosts delete-view": "mine",
  "hosts enroll": "--file hosts.csv",
  "hosts set-bmc": "h-1 --username root",
  "hosts confirm-certificate": "h-1 --sha256 SHA",
  "hosts maintenance set": "h-1 --reason x",
  "hosts maintenance clear": "h-1",
  "hosts drives": "h-1",
  "hosts dispose-drive": "h-1 S1 --as misread --slot 1 --reason x",
  "hosts withdraw-disposition": "h-1 S1 --reason x",
  "hosts assign-sku": "h-1 --none",
  "hosts place": "h-1 --rack A02",
  "hosts labels show": "h-1",
  "hosts labels set": "h-1 a=b",
  "hosts health show": "h-1",
  "hosts health add": "h-1 --template validation --message x",
  "hosts health remove": "h-1 nobody --reason x",
  "health-sources add": "monitor-1",
  "health-sources replace-token": "none",
  "health-sources remove": "none",
  "hosts lease show": "h-1",
  "hosts lease give": "h-1 --to nobody --reason x",
  "hosts lease break": "h-1 --reason x",
  "repair-systems add": "fixit-1",
  "repair-systems renew": "none",
  "repair-systems remove": "none",
  "tenants create": "nova --name Nova",
  "tenants change": "acme --quota none",
  "tenants give": "acme a --allocation --reason x",
  "tenants take": "none a --repair --reason x",
  "tenants disable": "none --reason x",
  "tenants enable": "none --reason x",
  "hosts restart": "h-1",
  "hosts inspect": "h-1",
  "hosts recheck": "h-1 --reason x",
  "hosts manage": "h-2",
  "hosts provide": "h-2",
  "hosts power-on": "h-1",
  "hosts power-off": "h-1",
  "hosts reboot": "h-1",
  "hosts shut-down": "h-1",
  "hosts soft-reboot": "h-1",
  "hosts inject-nmi": "h-1",
  "hosts boot": "h-1 --device pxe",
  "hosts inspect-by-agent": "h-1",
  "hosts skip-erase-wait": "h-1",
  "hosts ask-network": "h-1",
  "hosts delete": "h-3",
  "hosts decommission": "h-2 --reason x",
  "hosts accept-leftovers": "h-1 --reason x",
  "hosts leftovers": "h-1",
  "drives show": "S1",
  "hosts health read": "h-1",
  "attestation show": "h-1",
  "attestation accept-key": "h-1 --reason x",
  "attestation promote": "h-1 --name x --reason x",
  "attestation demote": "none --to Retired --reason x",
  "hosts names": "h-1",
  "bmc test": "h-1 --timeout 1s",
  "bmc reset": "h-1 --reason stuck --timeout 1s",
  "bmc show": "h-1",
  "enrolments test": "ID",
  "hosts confirm-names": "h-1 --reason x",
  "hosts withdraw-name": "h-1 SN-9 --reason x",
  "parts show": "h-1",
  "platform rollout show": "none",
  "platform rollout start": "none --file images.yaml --stages 100% --reason x",
  "platform rollout pause": "none --reason x",
  "platform rollout resume": "none --reason x",
  "platform rollout next": "none --reason x",
  "platform rollout finish": "none --reason x",
  "platform rollout abort": "none --reason x",
  "parts accept": "h-1 --reason x",
  "enrolments show": "ID",
  "enrolments wait": "ID --timeout 1s",
  "enrolments retry": "ID",
  "instances show": "train-1",
  "instances status-history": "train-1",
  "instances receipt": "train-1",
  "instances create": "new-1 --sku none",
  "instances rename": "train-1 train-1",
  "instances label": "train-1 a=b",
  "instances repair on":
    "train-1 --issue Other --summary x --details x --allow-deletion no --accept-data-corruption-risk --accept-repair-team-access --accept-instance-deletion-risk",
  "instances repair off": "train-1",
  "instances repair escalate": "train-1",
  "repair show": "h-1",
  "repair claim": "h-1",
  "repair outcome": "h-1 Completed",
  release: "train-1",
  "reclamations show": "--host h-1",
  search: "h-1",
  steps: "h-1",
  clean: 'h-1 --clean-steps [{"interface":"power","step":"reboot"}]',
  retry: "h-1",
  abort: "h-1",
  resume: "h-1",
  hold: "h-1 --reason x",
  watch: "h-1 --until failed --timeout 1s",
  "procedures history": "full-ac-drain --site a",
  "procedures of-host": "h-1",
  "procedures show": "10000000-0000-4000-8000-000000000001",
  "procedures save": "--file procedure.yaml --site a --reason x",
  "procedures remove": "none --site a --reason x",
  "procedures record": "full-ac-drain --host h-1=X --from 2026-01-01T00:00:00Z --until 2026-01-01T00:01:00Z",
  "approvals approve": "none --password-from env:HOME",
  "approvals show": "none",
  "approvals withdraw": "none --reason x",
  "exceptions ask":
    "h-1 --gate memoryOverwritten --reason x --measure x --risk x --until 2027-01-01T00:00:00Z",
  "exceptions withdraw": "00000000-0000-4000-8000-000000000000 --reason x",
  "approvals reject": "none --password-from env:HOME --reason x",
  "policy priorities set": "deploy.erase_nvme 91 --site a",
  "policy priorities unset": "deploy.erase_nvme --site a",
  "policy automated-clean": "on --host h-1",
  "policy limits": "--at-work 5",
  "policy preview": "--site a --automated-clean off",
  "site diff": "-f site.yaml",
  "site apply": "-f site.yaml",
  "policy erase": "--preset clear",
  "site restore": "1",
  "skus show": "none",
  "skus create": "sku-9 --from h-1",
  "skus change": "none -f sku.yaml",
  "skus capture-baseline": "none --from h-1",
  "skus delete": "none",
  "runbooks show": "none",
  "runbooks apply": "-f runbook.yaml",
  "runbooks delete": "wake-up",
  "brakes engage": "none",
  "brakes lift": "none --reason x",
  "brakes narrow": "none --to model=R750 --reason x",
  "brakes show": "none",
  "tickets show": "BF-0000000000",
  "tickets open": "--instance train-1 --summary x",
  "tickets update": "BF-0000000000 --note x",
  "tickets close": "BF-0000000000 --outcome withdrawn",
  "notices create": "maintenance --site none --message x",
  "notices change": "MN-0000000000 --message x",
  "notices end": "MN-0000000000",
  "notices acknowledge": "MN-0000000000",
  "webhooks deliveries": "none",
  "webhooks create": "w https://example.com/",
  "webhooks test": "none",
  "webhooks resume": "none",
  "webhooks skip": "none",
  "webhooks remove": "none",
  "failures show": "5b1c9a2e",
  "failures note": "5b1c9a2e --text x",
  "images add": "2.4.1 --from https://images.example/2.4.1 --hosts 3",
  "images widen": "2.4.1 --to 10%",
  "images make-current": "2.4.1",
  "images withdraw": "2.4.1 --reason x",
  "node get-clean-steps": "h-1",
  "node set-provision-state": "h-4 provide",
  "users create": "ada@example.com --name Ada --role auditor",
  "users change": "ada@example.com --name Ada",
  "users disable": "ada@example.com",
  "users enable": "ada@example.com",
  "users reset-password": "ada@example.com",
  "users reset-passkeys": "ada@example.com --reason x",
  "tokens revoke": "ID",
  "sessions end": "--id ID",
  "proof show": "ID",
  "proof timeline": "tenant acme",
  "proof pack": "--to out-pack",
  "security events show": "ID",
  "security events acknowledge": "ID --note x",
  "certificates get": "ID --to out",
  "evidence put": "hosts.csv",
  "evidence get": "SHA --to out-evidence",
  "evidence hold": "SHA --reason x",
  "evidence end-hold": "SHA --reason x",
  "audit show": "ID",
  "audit follow": "--no-wait",
  "audit export": "--to out",
  "audit proof": "ID --to out",
  "audit acknowledge": "--all --reason x",
  "audit rotate-key": "--reason x",
  "admin after-restore": "--reason ticket-1 --database-is-current",
};

/** Rights that the contract does not state: of NICo's and Ironic's interfaces, of files, and where the host is looked up first. */
const otherRights: Readonly<Record<string, readonly Right[]>> = {
  release: ["instance.release"],
  "repair outcome": ["repair.read", "host.label"],
  // Here there is no lease, and whoever may read the host is told so.
  "hosts lease break": ["host.read"],
  "node get-clean-steps": ["cleaning.read"],
  "node set-provision-state": ["host.provide"],
  "evidence put": ["evidence.write"],
  "evidence get": ["evidence.read"],
  "audit follow": ["audit.read"],
  "audit verify": ["audit.read"],
  "audit export": ["audit.read"],
};

/** The rights without any one of which a role is refused: of the operations, and of the action on hosts that is this command. */
const rightsOf = ({ path, uses }: Row): readonly Right[] =>
  otherRights[path] ?? [
    ...new Set(
      uses.flatMap((name) => {
        const operation = operationOf(name);
        if (operation.kind !== "dispatch") return operation.right ?? [];
        return Object.values(hostActions).flatMap(({ command, right }) => (command === path ? right : []));
      }),
    ),
  ];

/** These look up their target first, and here it does not exist: roles that may read it are told so, and nothing is changed. */
const lookedUp: readonly string[] = [
  "next show",
  "next take",
  "next hand-over",
  "next put-back",
  "next note",
  "next snooze",
  "next wake",
  "proof show",
  "security events show",
  "security events acknowledge",
  "audit acknowledge",
  "hosts accept-leftovers",
  "site restore",
  "procedures record",
  "approvals approve",
  "approvals reject",
  "approvals show",
  "approvals withdraw",
  "brakes engage",
  "brakes lift",
  "brakes narrow",
  "brakes show",
  "attestation demote",
  "platform rollout pause",
  "platform rollout resume",
  "platform rollout next",
  "platform rollout finish",
  "platform rollout abort",
  "failures note",
  "webhooks test",
  "webhooks resume",
  "webhooks skip",
  "webhooks remove",
];

/** These make no request as anybody. */
const local: readonly string[] = [
  "login",
  "config show",
  "config set",
  "config path",
  "audit check",
  "bmc check",
  "bmc record",
  "verify",
  "trust add",
  "trust list",
  "witness",
];

const given: Readonly<Record<string, string>> = {
  ID: "00000000-0000-4000-8000-000000000001",
  SHA: "a".repeat(64),
};

let against: AgainstServer;
const tokens = new Map<Role, string>();
beforeAll(async () => {
  against = await startAgainstServer();
  const { world } = against.server;
  for (const role of roles) tokens.set(role, await against.server.token(role));
  for (const name of ["h-1", "h-2", "h-3"]) await world.put(await world.host(name), "Ready");
  await world.put(await world.host("h-4"), "Manageable");
  const claimed = await claimHost(world.backend, world.actor("tenant-admin"), world.request(), {
    name: "train-1",
    wanted: { siteId: world.siteId },
  });
  if (!claimed.ok) throw new Error(claimed.problem.detail);
});
afterAll(() => against.stop());

it("names only commands that there are", () => {
  const paths = rows.map(({ path }) => path);
  const named = [...Object.keys(args), ...Object.keys(otherRights), ...lookedUp, ...local];
  expect(named.filter((name) => !paths.includes(name))).toEqual([]);
});

const run = (words: readonly string[], token?: string) =>
  against.command.run([...words, "--yes", "-o", "json"], {
    url: against.server.url,
    ...(token === undefined ? {} : { token }),
  });

/** Tries one command as each role; in `npm test` as one that may not and one that may, since which role has which right is a table. */
async function tryRoles(command: string, needs: readonly Right[]): Promise<void> {
  const words = `${command} ${args[command] ?? ""}`
    .trim()
    .split(" ")
    .map((word) => (/\.(csv|yaml)$/.test(word) ? join(against.command.folder, word) : (given[word] ?? word)));
  const may = (role: Role) => needs.every((right) => reachOf(role, right) !== "none");
  // Refused roles first, because an allowed run changes the data.
  const inOrder = [...roles].sort((a, b) => Number(may(a)) - Number(may(b)));
  const ends = inOrder.filter((_, place) => place === 0 || place === inOrder.length - 1);
  for (const role of isWhole() ? inOrder : ends) {
    const { code, stderr } = await run(words, tokens.get(role));
    const told = { role, code, stderr };
    expect(stderr, role).not.toContain("a fault of the command itself");
    expect(told).not.toMatchObject({ code: may(role) ? forbidden.code : ok.code });
    if (may(role) || (lookedUp.includes(command) && code !== forbidden.code)) continue;
    expect(told).toMatchObject({
      code: forbidden.code,
      stderr: expect.stringMatching(/role|may not|denied/),
    });
  }
  expect(await run(words)).toMatchObject({
    code: forbidden.code,
    stderr: expect.stringContaining("There is no token."),
  });
}

const commands = rows
  .filter(({ path }) => !local.includes(path))
  .map((row) => ({ path: row.path, needs: rightsOf(row) }));

it("knows what each command needs", () =>
  expect(commands.flatMap(({ path, needs }) => (needs.length === 0 ? path : []))).toEqual(["whoami"]));

/** Commands that need the same rights have one check of them, so `npm test` tries the first of each. */
const first = commands.filter(
  ({ path, needs }) => commands.find((other) => other.needs.join() === needs.join())?.path === path,
);
it.each(first)("$path", ({ path, needs }) => tryRoles(path, needs));
it.each(commands.filter((each) => !first.includes(each)))("$path", { tags: "all" }, ({ path, needs }) =>
  tryRoles(path, needs),
);

beforeAll(() => {
  for (const [name, text] of Object.entries({
    "hosts.csv": "name,address,username,password\n",
    "site.yaml": "kind: Site\n",
    "images.yaml": `images: [{ component: BIOS, version: "1.9", url: "http://images.example/1.9", checksum: ${"a".repeat(64)} }]\n`,
    "sku.yaml":
      "name: none\ncomponents: { manufacturer: a, product: b, cpus: { count: 1, model: c }, memoryBytes: '5', storage: [], infiniband: 0 }\n",
    "procedure.yaml":
      "name: check-fans\ntitle: Fans\nchecklist: [{ text: Fans turn }]\nwhen: { always: false }\n",
    "runbook.yaml": 'name: wake-up\nsteps: [{ interface: power, step: reboot }]\ntraits: ["CUSTOM_A"]\n',
  }))
    writeFileSync(join(against.command.folder, name), text);
});

it("nobody decides on what they recorded or asked for: by command, over HTTP, and after a change of role", async () => {
  const { server, command } = against;
  const { backend, siteId, put, host, actor } = server.world;
  const { database } = backend;
  const policy = { ...defaultPolicy(), procedures: [testProcedure()] };
  await database.person.updateMany({ data: { passwordHash: await hashPassword("fourteen gates") } });
  await database.sitePolicy.updateMany({ where: { siteId }, data: { body: policy } });
  const hostId = await host("drained");
  await addReclamation(server.world, hostId, {
    kind: "onboarding",
    policy,
    startedAt: new Date(Date.now() - 60_000),
  });
  await put(hostId, "ReturnToAllocation/AwaitingProcedure");
  const now = new Date().toISOString();
  const args = `procedures record full-ac-drain --host drained=SN-drained --from ${now} --until ${now} --answer yes --answer 14`;
  expect(await run(args.split(" "), tokens.get("operator"))).toMatchObject({ code: ok.code });
  const { id, evidence } = await database.approval.findFirstOrThrow({ where: { hostId } });
  const { personId } = actor("operator");
  const others = ["exception", "disposition"].map((kind) => ({
    ...{ id: randomUUID(), kind, subjectId: randomUUID(), siteId, hostId, reason: "x" },
    ...{ evidence: "0".repeat(64), askedBy: personId, askedByName: "x", validUntil: null },
  }));
  await database.approval.createMany({ data: others });
  const secret = join(command.folder, "password");
  writeFileSync(secret, "fourteen gates");
  const approve = (token: string | undefined) =>
    run(["approvals", "approve", id, "--password-from", `file:${secret}`], token);
  const overHttp = async (token: string | undefined, asked: { id: string; evidence: string }) => {
    const json = {
      approvals: [{ id: asked.id, evidence: asked.evidence }],
      decision: "approved",
      ...(asked.id === id ? { password: "fourteen gates" } : {}),
    };
    const answer = await fetch(`${server.url}/api/trpc/approvals.decide`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ json }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const refusals = async (
    asked: { id: string; evidence: string },
    why: string,
    token = tokens.get("operator"),
  ) => {
    if (asked.id === id)
      expect(await approve(token)).toMatchObject({
        code: forbidden.code,
        stderr: expect.stringContaining(why),
      });
    expect(await overHttp(token, asked)).toMatchObject({ status: 403, text: expect.stringContaining(why) });
  };
  await refusals({ id, evidence }, "another person decides");
  for (const one of others)
    await refusals(one, one.kind === "exception" ? "may not decide" : "another person decides");
  await database.person.update({ where: { id: personId }, data: { role: "provider-admin" } });
  // A fresh token: the server caches the role of a used one for some seconds.
  const promoted = await server.token("operator");
  for (const one of [{ id, evidence }, ...others]) await refusals(one, "another person decides", promoted);
  expect(await database.approval.count({ where: { hostId, decision: null } })).toBe(3);
  expect(await approve(tokens.get("provider-admin"))).toMatchObject({ code: ok.code });
  await database.person.update({ where: { id: personId }, data: { role: "operator" } });
});
