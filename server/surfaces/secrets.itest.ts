// Secrets are planted wherever people and programs enter one, through the real interfaces. Then every read, export, row, event and log line is searched
// for them. A newly added read is included automatically.
import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/server/contract/contract";
import type { Contract, Read } from "@/server/contract/define";
import { hashPassword } from "@/server/db/secrets/passwords";
import { readInputs } from "@/server/testing/read-inputs";
import { isObject } from "@/server/domain/json";
import { bulkCsvResponse } from "@/server/surfaces/web/csv/bulk-csv";
import { hostsCsvResponse } from "@/server/surfaces/web/csv/hosts-csv";
import { startConsoleServer } from "@/server/surfaces/web/testing/console-server";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { granted } from "@/server/testing/acts";
import { changePassword } from "@/server/usecases/access/change-password";
import { createToken } from "@/server/usecases/access/create-token";
import { signIn } from "@/server/usecases/access/sign-in";

/** Each secret, by what it is. */
const secret = (what: string) => `planted-${what}-${randomUUID()}`;
const planted = {
  networkToken: secret("network-token"),
  acknowledgementToken: secret("acknowledgement-token"),
  credentialPassword: secret("credential-set"),
  enrolledPassword: secret("bmc-enrolled"),
  nodePassword: secret("bmc-node"),
  newPassword: secret("own-password"),
  wrongPassword: secret("wrong-password"),
  oldPassword: secret("old-password"),
};
/** Secrets that the server creates. They appear only in the answer that shows them. */
const shownOnce: string[] = [];

let server: ConsoleServer;
let token = "";
const logged: string[] = [];
/** Everything that came out, with its source. */
const out: (readonly [string, string])[] = [];
const database = () => server.world.backend.database;

const headers = () => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  "x-openstack-ironic-api-version": "1.82",
});
async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(`${server.url}${path}`, { headers: headers(), ...init });
  const text = await answer.text();
  return { status: answer.status, text };
}
/** @param once the answer shows a secret, so it is not searched */
async function mutate(procedure: string, input: unknown, once = false): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}/api/trpc/${procedure}`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify({ json: input }),
  });
  const text = await answer.text();
  if (!once) out.push([procedure, text]);
  const body: unknown = JSON.parse(text);
  const result =
    isObject(body) && isObject(body.result) && isObject(body.result.data) ? body.result.data.json : null;
  return isObject(result) ? { ...result } : {};
}

const yaml = (parts: object) => JSON.stringify({ format: 1, site: "a", ...parts });
const network = {
  networkController: {
    url: "https://network.test",
    token: { fromEnv: "NET" },
    acknowledgementToken: { fromEnv: "ACK" },
  },
};
const sets = { bmcCredentials: { lab: { username: "root", password: { fromEnv: "BMC" } } } };
const secrets = () => ({
  "env:NET": planted.networkToken,
  "env:ACK": planted.acknowledgementToken,
  "env:BMC": planted.credentialPassword,
});

async function plantInSite(): Promise<void> {
  const apply = (document: string, more: object = {}) =>
    mutate("site.apply", { document, secrets: secrets(), reason: "planted", ...more });
  await apply(yaml({ ...network, ...sets }), { dryRun: true });
  const applied = await apply(yaml({ ...network, ...sets }));
  expect(applied).toMatchObject({ applied: true });
  // Refused documents too: a secret in place of a reference, an unknown step, a different revision.
  await apply(yaml({ networkController: { url: "https://x.test", token: planted.networkToken } }));
  await apply(yaml({ ...network, ...sets, priorities: { "deploy.nothing": 1 } }));
  await apply(yaml({ ...network, policy: { times: { stateMs: 5 } } }), { revision: "old" });
}

async function plantInHosts(): Promise<void> {
  const host = { name: "enrolled", bmcAddress: "127.0.0.1", serial: "S-1" };
  await mutate("enrolment.enroll", {
    site: "a",
    hosts: [host, { name: "second" }],
    credential: { username: "root", password: planted.enrolledPassword },
  });
  const node = {
    driver: "redfish",
    name: "node-1",
    driver_info: {
      redfish_username: "root",
      redfish_password: planted.nodePassword,
    },
    properties: {},
  };
  for (const body of [node, { ...node, colour: "red" }])
    out.push([
      "POST /v1/nodes",
      JSON.stringify(await ask("/v1/nodes", { method: "POST", body: JSON.stringify(body) })),
    ]);
  await server.world.host("seeded");
}

async function plantInPeople(): Promise<void> {
  const { world } = server;
  const made = await mutate(
    "people.create",
    { email: "planted@example.test", name: "Planted", role: "auditor" },
    true,
  );
  const { personId } = made;
  const reset = await mutate("people.resetPassword", { personId }, true);
  const all = await mutate("people.resetPasskeys", { personId, reason: "lost" }, true);
  const admin = world.actor("provider-admin");
  const created = granted(
    await createToken(server.backend, admin, world.request(), {
      personId: admin.personId,
      name: "planted",
      scope: "read",
    }),
  );
  for (const shown of [made.password, reset.password, all.password, created.token]) {
    expect(typeof shown).toBe("string");
    shownOnce.push(String(shown));
  }
  const actor = world.actor("operator");
  await database().person.update({
    where: { id: actor.personId },
    data: { passwordHash: await hashPassword(planted.oldPassword) },
  });
  for (const current of [planted.wrongPassword, planted.oldPassword])
    out.push([
      "account.changePassword",
      JSON.stringify(
        await changePassword(server.backend, actor, world.request(), { current, next: planted.newPassword }),
      ),
    ]);
  for (const password of [planted.wrongPassword, planted.newPassword])
    out.push([
      "sign-in",
      JSON.stringify(await signIn(server.backend, { email: actor.email, password }, world.request())),
    ]);
}

/** A procedure that fails internally, which is logged with the database's message. */
async function failInside(): Promise<void> {
  await database().$executeRaw`ALTER TABLE site_version RENAME TO gone`;
  await mutate("site.apply", {
    document: yaml({ ...network, policy: { times: { stateMs: 7 } } }),
    secrets: secrets(),
    reason: "planted",
  });
  await database().$executeRaw`ALTER TABLE gone RENAME TO site_version`;
  await database().$executeRaw`ALTER TABLE person RENAME TO gone`;
  await mutate("people.create", { email: "late@example.test", name: "Late", role: "auditor" });
  await database().$executeRaw`ALTER TABLE gone RENAME TO person`;
}

beforeAll(async () => {
  server = await startConsoleServer();
  const stream = new Writable({
    write: (piece: Buffer, _encoding, next) => {
      logged.push(piece.toString());
      next();
    },
  });
  Object.assign(server.backend, { logger: pino({ level: "trace" }, stream) });
  token = await server.token("provider-admin");
  shownOnce.push(token);
  await plantInSite();
  await plantInHosts();
  await plantInPeople();
  await failInside();
});
afterAll(() => server.stop());

const operations: Contract = contract;
const reads = Object.entries(operations).flatMap(([noun, entries]) =>
  Object.entries(entries).flatMap(([name, operation]): readonly (readonly [string, Read])[] =>
    operation.kind === "read" ? [[`${noun}.${name}`, operation]] : [],
  ),
);

const forms = (text: string): readonly string[] => [
  text,
  Buffer.from(text).toString("hex"),
  Buffer.from(text).toString("base64").slice(0, 40),
  encodeURIComponent(text),
];

function search(places: readonly (readonly [string, string])[], among: readonly string[]): readonly string[] {
  return places.flatMap(([where, text]) =>
    among.flatMap((one) => (forms(one).some((form) => text.includes(form)) ? [`${where}: ${one}`] : [])),
  );
}
const all = () => [...Object.values(planted), ...shownOnce];

describe("no planted secret", () => {
  it("is in an answer to what planted it, done or refused", () => {
    expect(out.length).toBeGreaterThan(10);
    expect(search(out, all())).toEqual([]);
  });

  it("is in the answer of any read", async () => {
    const answers: (readonly [string, string])[] = [];
    const unasked: string[] = [];
    const given = await readInputs(server.world, yaml({ ...network, ...sets }));
    for (const [name, { input }] of reads) {
      const taken = given.filter((candidate) => input.safeParse(candidate).success);
      if (taken.length === 0) unasked.push(name);
      for (const one of taken) {
        const query = one === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json: one }))}`;
        answers.push([name, JSON.stringify(await ask(`/api/trpc/${name}${query}`))]);
      }
    }
    // A new read needs an input in `readInputs`.
    expect(unasked).toEqual([]);
    expect(answers.filter(([, text]) => text.includes('"status":200')).length).toBeGreaterThan(30);
    expect(search(answers, all())).toEqual([]);
  });

  it("is in an export, or in what programs read", async () => {
    const file = (path: string) => new Request(`http://localhost:3000${path}`, { headers: headers() });
    const texts: (readonly [string, string])[] = [
      ["hosts.csv", await (await hostsCsvResponse(server.backend, file("/api/hosts.csv"))).text()],
      [
        "bulk.csv",
        await (await bulkCsvResponse(server.backend, file(`/api/bulk.csv?id=${randomUUID()}`))).text(),
      ],
    ];
    for (const path of [
      "/v1/nodes/detail",
      "/v1/nodes/node-1",
      "/v1/nodes/node-1/validate",
      "/v1/ports/detail",
      "/v1/drivers?detail=true",
      "/v2/org/acme/nico/instance",
      "/metrics",
    ])
      texts.push([path, JSON.stringify(await ask(path))]);
    expect(texts.find(([where]) => where === "/v1/nodes/node-1")?.[1]).toContain("******");
    expect(search(texts, all())).toEqual([]);
  });

  it("is in a row of the database: versions, audit events, the feed and all others", async () => {
    const tables = await database().$queryRawUnsafe<{ name: string }[]>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
    );
    const rows: (readonly [string, string])[] = [];
    for (const { name } of tables) {
      const found = await database().$queryRawUnsafe<{ row: string }[]>(
        `SELECT to_jsonb(t)::text AS row FROM "${name}" t`,
      );
      rows.push([name, found.map(({ row }) => row).join("\n")]);
    }
    const text = (table: string) => rows.find(([name]) => name === table)?.[1] ?? "";
    for (const table of ["site_version", "audit_event", "feed", "api_token", "bmc_credential", "enrolment"])
      expect({ table, empty: text(table) === "" }).toEqual({ table, empty: false });
    expect(search(rows, all())).toEqual([]);
  });

  it("is in the log, also where a procedure fails inside", () => {
    expect(logged.join("")).toContain("a procedure failed");
    expect(search([["log", logged.join("")]], all())).toEqual([]);
  });

  it("could hide: the search finds each of its forms", () => {
    for (const form of forms(planted.networkToken))
      expect(search([["x", `a ${form} b`]], all())).toHaveLength(1);
  });
});
