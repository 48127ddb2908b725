// Every command, once per role and once without a token: allowed, or refused with exit code 3 and a message, as the access table says.
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { createProgram } from "@/cli/program";
import { loadEnvironmentConfig } from "@/cli/surroundings";
import { startAgainstServer, type AgainstServer } from "@/cli/testing/against-server";
import { atTerminal } from "@/cli/testing/terminal";
import { reachOf, type Right } from "@/server/domain/access/access";
import { roles, type Role } from "@/server/domain/access/roles";
import { hashPassword } from "@/server/db/secrets/passwords";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { testProcedure } from "@/server/domain/assurance/procedures/testing/procedures";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { claimHost } from "@/server/usecases/instances/claim-host";

const { ok, forbidden } = exitCodes;

/** A command's arguments, and the rights without any one of which a role is refused. Without rights: anyone who is signed in. */
type Line = readonly [args: string, ...needs: readonly Right[]];

const lines: Readonly<Record<string, Line>> = {
  "hosts list": ["", "host.list"],
  "hosts show": ["h-1", "host.read"],
  "hosts history": ["h-1", "host.read"],
  "hosts traits": ["h-1 CUSTOM_A", "host.edit"],
  "hosts views": ["", "account.views"],
  "hosts save-view": ["mine is:ready", "account.views"],
  "hosts delete-view": ["mine", "account.views"],
  "hosts filter-values": ["", "host.list"],
  "hosts enroll": ["--file hosts.csv", "host.enroll"],
  "hosts set-bmc": ["h-1 --username root", "host.edit"],
  "hosts confirm-certificate": ["h-1 --sha256 SHA", "host.edit"],
  "hosts maintenance set": ["h-1 --reason x", "host.maintenance"],
  "hosts maintenance clear": ["h-1", "host.maintenance"],
  "hosts drives": ["h-1", "host.read"],
  "hosts dispose-drive": ["h-1 S1 --as misread --slot 1 --reason x", "host.dispose"],
  "hosts withdraw-disposition": ["h-1 S1 --reason x", "host.dispose"],
  "hosts assign-sku": ["h-1 --none", "host.edit"],
  "hosts place": ["h-1 --rack A02", "host.edit"],
  "hosts labels show": ["h-1", "host.summary"],
  "hosts labels set": ["h-1 a=b", "host.label"],
  "hosts health show": ["h-1", "host.read"],
  "hosts health templates": ["", "host.read"],
  "hosts health add": ["h-1 --template validation --message x", "host.maintenance"],
  "hosts health remove": ["h-1 nobody --reason x", "host.maintenance"],
  "health-sources list": ["", "site.read"],
  "health-sources add": ["monitor-1", "site.apply"],
  "health-sources replace-token": ["none", "site.apply"],
  "health-sources remove": ["none", "site.apply"],
  "hosts lease show": ["h-1", "host.read"],
  "hosts lease give": ["h-1 --to nobody --reason x", "host.lease"],
  "hosts lease break": ["h-1 --reason x", "host.read"],
  "repair-systems list": ["", "site.read"],
  "repair-systems add": ["fixit-1", "site.apply"],
  "repair-systems renew": ["none", "site.apply"],
  "repair-systems remove": ["none", "site.apply"],
  "tenants list": ["", "tenant.read"],
  "tenants create": ["nova --name Nova", "tenant.manage"],
  "tenants change": ["acme --quota none", "tenant.manage"],
  "tenants give": ["acme a --allocation --reason x", "tenant.manage"],
  "tenants take": ["none a --repair --reason x", "tenant.manage"],
  "tenants disable": ["none --reason x", "tenant.manage"],
  "tenants enable": ["none --reason x", "tenant.manage"],
  "hosts restart": ["h-1", "host.restart"],
  "hosts inspect": ["h-1", "host.manage"],
  "hosts manage": ["h-2", "host.manage"],
  "hosts provide": ["h-2", "host.provide"],
  "hosts power-on": ["h-1", "host.power"],
  "hosts power-off": ["h-1", "host.power"],
  "hosts reboot": ["h-1", "host.power"],
  "hosts shut-down": ["h-1", "host.power"],
  "hosts soft-reboot": ["h-1", "host.power"],
  "hosts inject-nmi": ["h-1", "host.power"],
  "hosts boot": ["h-1 --device pxe", "host.power"],
  "hosts inspect-by-agent": ["h-1", "host.manage"],
  "hosts skip-erase-wait": ["h-1", "host.interrupt"],
  "hosts ask-network": ["h-1", "host.retry"],
  "hosts delete": ["h-3", "host.delete"],
  "hosts decommission": ["h-2 --reason x", "host.decommission"],
  "hosts accept-leftovers": ["h-1 --reason x", "host.decommission"],
  "hosts leftovers": ["h-1", "host.read"],
  "hosts gone": ["", "host.read"],
  "drives list": ["", "host.read"],
  "drives models": ["", "host.read"],
  "drives show": ["S1", "host.read"],
  "enrolments list": ["", "host.read"],
  "enrolments show": ["ID", "host.read"],
  "enrolments wait": ["ID --timeout 1s", "host.read"],
  "enrolments retry": ["ID", "host.manage"],
  fleet: ["", "fleet.read"],
  "instances list": ["", "instance.read"],
  "instances show": ["train-1", "instance.read"],
  "instances status-history": ["train-1", "instance.read"],
  "instances receipt": ["train-1", "instance.read"],
  "instances available": ["", "instance.create"],
  "instances create": ["new-1 --sku none", "instance.create"],
  "instances rename": ["train-1 train-1", "instance.edit"],
  "instances label": ["train-1 a=b", "instance.edit"],
  "instances repair on": [
    "train-1 --issue Other --summary x --details x --allow-deletion no --accept-data-corruption-risk --accept-repair-team-access --accept-instance-deletion-risk",
    "instance.release",
  ],
  "instances repair off": ["train-1", "instance.release"],
  "instances repair escalate": ["train-1", "instance.release"],
  "repair queue": ["", "repair.read"],
  "repair held": ["", "repair.read"],
  "repair outcomes": ["", "repair.read"],
  "repair offenders": ["", "repair.read"],
  "repair show": ["h-1", "repair.read"],
  "repair claim": ["h-1", "repair.read", "instance.create"],
  "repair outcome": ["h-1 Completed", "repair.read", "host.label"],
  release: ["train-1", "instance.release"],
  "reclamations list": ["", "host.read"],
  "reclamations show": ["--host h-1", "host.read"],
  steps: ["h-1", "cleaning.read"],
  clean: ['h-1 --clean-steps [{"interface":"power","step":"reboot"}]', "host.clean"],
  retry: ["h-1", "host.retry"],
  abort: ["h-1", "host.interrupt"],
  resume: ["h-1", "host.interrupt"],
  hold: ["h-1 --reason x", "host.interrupt"],
  watch: ["h-1 --until failed --timeout 1s", "host.list"],
  "procedures list": ["", "assurance.read"],
  "procedures history": ["full-ac-drain --site a", "assurance.read"],
  "procedures due": ["", "assurance.read"],
  "procedures of-host": ["h-1", "assurance.readHost"],
  "procedures show": ["10000000-0000-4000-8000-000000000001", "assurance.read"],
  "procedures save": ["--file procedure.yaml --site a --reason x", "site.apply"],
  "procedures remove": ["none --site a --reason x", "site.apply"],
  "procedures record": [
    "full-ac-drain --host h-1=X --from 2026-01-01T00:00:00Z --until 2026-01-01T00:01:00Z",
    "assurance.record",
  ],
  "approvals list": ["", "assurance.read"],
  "approvals approve": ["none --password-from env:HOME", "assurance.sign"],
  "approvals ending": ["", "assurance.read"],
  "approvals show": ["none", "assurance.read"],
  "approvals withdraw": ["none --reason x", "site.apply"],
  "exceptions list": ["", "assurance.read"],
  "exceptions ask": [
    "h-1 --gate memoryOverwritten --reason x --measure x --risk x --until 2027-01-01T00:00:00Z",
    "assurance.askException",
  ],
  "exceptions withdraw": ["00000000-0000-4000-8000-000000000000 --reason x", "assurance.askException"],
  "approvals reject": ["none --password-from env:HOME --reason x", "assurance.sign"],
  "policy show": ["", "cleaning.read"],
  "policy priorities list": ["", "cleaning.read"],
  "policy priorities set": ["deploy.erase_nvme 91 --site a", "cleaning.override"],
  "policy priorities unset": ["deploy.erase_nvme --site a", "cleaning.override"],
  "policy automated-clean": ["on --host h-1", "cleaning.override"],
  "policy limits": ["--at-work 5", "site.apply"],
  "policy preview": ["--site a --automated-clean off", "cleaning.read"],
  "policy erase": ["", "cleaning.read"],
  "site export": ["", "site.read"],
  "site diff": ["-f site.yaml", "site.read"],
  "site apply": ["-f site.yaml", "site.apply"],
  "site history": ["", "site.read"],
  "site restore": ["1", "site.apply"],
  "site authorities": ["", "site.read"],
  "skus list": ["", "site.read"],
  "skus groups": ["", "site.read"],
  "skus show": ["none", "site.read"],
  "skus create": ["sku-9 --from h-1", "sku.write"],
  "skus change": ["none -f sku.yaml", "sku.write"],
  "skus capture-baseline": ["none --from h-1", "sku.write"],
  "skus delete": ["none", "sku.write"],
  "runbooks list": ["", "cleaning.read"],
  "runbooks show": ["none", "cleaning.read"],
  "runbooks apply": ["-f runbook.yaml", "runbook.write"],
  "runbooks delete": ["wake-up", "runbook.write"],
  queue: ["", "host.read"],
  "brakes list": ["", "cleaning.read"],
  "brakes engage": ["none", "brake.lift"],
  "brakes lift": ["none", "brake.lift"],
  "tickets list": ["", "ticket.read"],
  "tickets show": ["BF-0000000000", "ticket.read"],
  "tickets open": ["--instance train-1 --summary x", "ticket.open"],
  "tickets update": ["BF-0000000000 --note x", "ticket.update"],
  "tickets close": ["BF-0000000000 --outcome withdrawn", "ticket.update"],
  "notices list": ["", "notice.read"],
  "notices create": ["maintenance --site none --message x", "notice.write"],
  "notices change": ["MN-0000000000 --message x", "notice.write"],
  "notices end": ["MN-0000000000", "notice.write"],
  "notices acknowledge": ["MN-0000000000", "notice.acknowledge"],
  "capacity events": ["", "capacity.read"],
  "capacity nodes": ["", "capacity.read"],
  "webhooks list": ["", "webhook.read"],
  "webhooks deliveries": ["none", "webhook.read"],
  "webhooks create": ["w https://example.com/", "webhook.write"],
  "webhooks test": ["none", "webhook.write"],
  "webhooks resume": ["none", "webhook.write"],
  "webhooks skip": ["none", "webhook.write"],
  "webhooks remove": ["none", "webhook.write"],
  "failures list": ["", "host.read"],
  "failures show": ["5b1c9a2e", "host.read"],
  "failures note": ["5b1c9a2e --text x", "failure.note"],
  "images list": ["", "cleaning.read"],
  "images add": ["2.4.1 --from https://images.example/2.4.1 --hosts 3", "image.rollOut"],
  "images widen": ["2.4.1 --to 10%", "image.rollOut"],
  "images make-current": ["2.4.1", "image.rollOut"],
  "images withdraw": ["2.4.1 --reason x", "image.withdraw"],
  "node get-clean-steps": ["h-1", "cleaning.read"],
  "node set-provision-state": ["h-4 provide", "host.provide"],
  "users list": ["", "person.read"],
  "users create": ["ada@example.com --name Ada --role auditor", "person.manage"],
  "users change": ["ada@example.com --name Ada", "person.manage"],
  "users disable": ["ada@example.com", "person.manage"],
  "users enable": ["ada@example.com", "person.manage"],
  "users reset-password": ["ada@example.com", "person.manage"],
  "users reset-passkeys": ["ada@example.com --reason x", "person.manage"],
  "tokens list": ["", "token.read"],
  "tokens revoke": ["ID", "token.revoke"],
  "sessions list": ["", "session.read"],
  "sessions end": ["--id ID", "session.end"],
  "certificates list": ["", "certificate.read"],
  "proof search": ["", "certificate.read"],
  "proof show": ["ID", "certificate.read"],
  "proof timeline": ["tenant acme", "certificate.read"],
  "proof pack": ["--to out-pack", "certificate.read"],
  "security events list": ["", "security.read"],
  "security events show": ["ID", "security.read"],
  "security events acknowledge": ["ID --note x", "security.acknowledge"],
  "certificates get": ["ID --to out", "certificate.read"],
  "evidence list": ["", "evidence.read"],
  "evidence put": ["hosts.csv", "evidence.write"],
  "evidence get": ["SHA --to out-evidence", "evidence.read"],
  "evidence hold": ["SHA --reason x", "evidence.hold"],
  "evidence end-hold": ["SHA --reason x", "evidence.hold"],
  "audit list": ["", "audit.read"],
  "audit show": ["ID", "audit.read"],
  "audit follow": ["--no-wait", "audit.read"],
  "audit verify": ["", "audit.read"],
  "audit export": ["--to out", "audit.read"],
  "audit proof": ["ID --to out", "audit.read"],
  "audit keys": ["", "audit.read"],
  "audit status": ["", "audit.read"],
  "audit checks": ["", "audit.read"],
  "audit faults": ["", "audit.read"],
  "audit self-check": ["", "audit.selfCheck"],
  "audit acknowledge": ["--all --reason x", "audit.acknowledge"],
  "audit rotate-key": ["--reason x", "audit.rotateKey"],
  "admin after-restore": ["--reason ticket-1 --database-is-current", "database.afterRestore"],
  whoami: [""],
};

/** These look up their target first, and here it does not exist: roles that may read it are told so, and nothing is changed. */
const lookedUp: readonly string[] = [
  "proof show",
  "security events show",
  "security events acknowledge",
  "audit acknowledge",
  "hosts accept-leftovers",
  "site restore",
  "procedures record",
  "audit acknowledge",
  "approvals approve",
  "approvals reject",
  "approvals show",
  "approvals withdraw",
  "brakes engage",
  "brakes lift",
  "failures note",
  "webhooks test",
  "webhooks resume",
  "webhooks skip",
  "webhooks remove",
];

/** These make no request. */
const local: readonly string[] = [
  "login",
  "config show",
  "config set",
  "config path",
  "help",
  "schema",
  "completion",
  "__complete",
  "audit check",
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

it("knows every command", () => {
  const stream = new PassThrough();
  const program = createProgram({
    args: [],
    environment: loadEnvironmentConfig({}),
    home: "/",
    stdin: stream,
    stdout: stream,
    stderr: stream,
    now: () => new Date(0),
    interrupted: new AbortController().signal,
  });
  type Node = ReturnType<typeof createProgram>;
  const leaves = (node: Node, path: readonly string[]): readonly string[] =>
    node.commands.length === 0
      ? [path.join(" ")]
      : node.commands.flatMap((child) => leaves(child, [...path, child.name()]));
  expect([...Object.keys(lines), ...local].sort()).toEqual([...leaves(program, [])].sort());
});

const run = (args: readonly string[], token?: string) =>
  atTerminal([...args, "--yes"], {
    env: { RECLAIM_URL: against.server.url, ...(token === undefined ? {} : { RECLAIM_TOKEN: token }) },
    home: against.command.home,
  });

/** Tries one command as each role. */
async function tryRoles(command: string, [args, ...needs]: Line): Promise<void> {
  const words = [...command.split(" "), ...args.split(" ").filter((word) => word !== "")].map((word) =>
    /\.(csv|yaml)$/.test(word) ? join(against.command.folder, word) : (given[word] ?? word),
  );
  const may = (role: Role) => needs.every((right) => reachOf(role, right) !== "none");
  // Refused roles first, because an allowed run changes the data.
  for (const role of [...roles].sort((a, b) => Number(may(a)) - Number(may(b)))) {
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

/** Which rights a command needs. Commands that need the same ones have one check of them, so `npm test` tries the first of each. */
const rightsOf = ([, [, ...needs]]: readonly [string, Line]) => needs.join(" ");
const commands = Object.entries(lines);
const first = commands.filter(
  (each) => commands.find((other) => rightsOf(other) === rightsOf(each)) === each,
);
it.each(first)("%s", tryRoles);
it.each(commands.filter((each) => !first.includes(each)))("%s", { tags: "all" }, tryRoles);

beforeAll(() => {
  for (const [name, text] of Object.entries({
    "hosts.csv": "name,address,username,password\n",
    "site.yaml": "kind: Site\n",
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
