// Who sees what and may do what: each role's pages; what a role may not do is refused by both the page and the server.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { mutate, nico, query } from "@/e2e/fixtures/api";
import { arrived } from "@/e2e/fixtures/arrival";
import {
  failedHost,
  readHost,
  readInstance,
  readyHost,
  findInstance,
  type HostHead,
} from "@/e2e/fixtures/fleet";
import { fillSignIn, pageLinks, personMenu } from "@/e2e/fixtures/frame";
import { head, stateLine, stepRuns } from "@/e2e/fixtures/host-page";
import { loginOf, type PersonName } from "@/e2e/fixtures/system";
import { expect, test } from "@/e2e/fixtures/test";
import { follow } from "@/e2e/fixtures/windows";
import { routes } from "@/server/domain/console/routes";

const all = ["Next", "Fleet", "Hosts", "Instances", "Tickets", "Cleaning", "SKUs", "Settings"];
const few = ["Next", "Instances", "Tickets", "Reclamations"];
/** One of the provider and one of a tenant for `npm test`. */
const seen: readonly { name: PersonName; pages: readonly string[]; tag?: "@all" }[] = [
  { name: "operator", pages: all, tag: "@all" },
  { name: "providerAdmin", pages: all, tag: "@all" },
  { name: "auditor", pages: all, tag: "@all" },
  { name: "tenantAdmin", pages: few },
  { name: "repairTenantAdmin", pages: few, tag: "@all" },
];
const addresses = [
  { page: "Fleet", href: routes.fleet(), table: "Fleet" },
  { page: "Hosts", href: routes.hosts(), table: "Hosts" },
  { page: "Instances", href: routes.instances(), table: "Instances" },
  { page: "Cleaning", href: routes.cleaning.steps(), table: "Clean steps" },
  { page: "SKUs", href: routes.skus(), table: "SKUs" },
];

/** The server refuses the intent, and the host stays as it was. */
async function mayNotAsk(name: PersonName, host: HostHead, intent: string): Promise<void> {
  const { id: hostId, stateVersion } = host;
  expect(await mutate(name, "host.act", { hostId, intent, stateVersion })).toMatchObject({
    status: 403,
    code: "FORBIDDEN",
  });
  expect(await readHost(host.name)).toEqual(host);
}

for (const { name, pages, tag } of seen) {
  test(`${name} sees ${pages.join(", ")} and no other page`, { tag: tag ?? [] }, async ({ openAs }) => {
    const page = await openAs(name);
    await page.goto(routes.next());
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(pages[0] ?? "");
    await expect(pageLinks(page)).toContainText([...pages]);
    for (const { page: title, href, table } of addresses.slice(1)) {
      // Open one of them by URL, like someone who was sent a link: the server must refuse the page itself.
      if (href === routes.skus()) await page.goto(href);
      else await follow(page, href);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
      const refused = page.getByRole("main").getByText(/cannot open this page/);
      await expect(refused).toHaveCount(pages.some((shown) => shown === title) ? 0 : 1);
      await expect(page.getByRole("table", { name: table })).toHaveCount(
        pages.some((shown) => shown === title) ? 1 : 0,
      );
    }
  });
}

test(
  "an auditor finds no button, and the server refuses what one would do",
  { tag: "@all" },
  async ({ openAs }) => {
    const stopped = await failedHost();
    const instance = await findInstance("acme");
    const page = await openAs("auditor");
    await page.goto(routes.host(stopped.name));
    await expect(stateLine(page)).toContainText("Failed / NVMECleanFailed");
    await expect(stepRuns(page)).toBeVisible();
    await expect(
      page.getByRole("button", { name: /Retry|Restart|Manage|Provide|maintenance|Delete|More actions/ }),
    ).toHaveCount(0);
    await page.goto(routes.enrolments.list());
    await expect(page.getByRole("heading", { level: 1, name: "Enrolments" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Enrol hosts" })).toHaveCount(0);
    await page.goto(routes.enrolments.create());
    const refused = page.getByRole("main").getByText("An auditor cannot open this page");
    await expect(refused).toBeVisible();
    await page.goto(routes.cleaning.runbooks());
    await expect(page.getByRole("link", { name: "Queue" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Manual cleaning" })).toHaveCount(0);
    for (const path of [routes.cleaning.manual(), routes.cleaning.newRunbook()]) {
      await page.goto(path);
      await expect(refused).toBeVisible();
    }
    await page.goto(routes.hosts({ q: "state:Failed" }));
    await expect(page.getByRole("link", { name: stopped.name })).toBeVisible();
    await expect(page.getByRole("table", { name: "Hosts" }).getByRole("checkbox")).toHaveCount(0);
    await page.goto(routes.instances());
    await expect(page.getByRole("row", { name: instance.name })).toBeVisible();
    await expect(page.getByRole("button", { name: /Release/ })).toHaveCount(0);
    await expect(page.getByRole("checkbox")).toHaveCount(0);

    for (const intent of ["retry", "restart", "manage", "provide", "forceDelete"]) {
      expect(
        await mutate("auditor", "host.act", {
          hostId: stopped.id,
          intent,
          stateVersion: stopped.stateVersion,
        }),
      ).toMatchObject({ status: 403, code: "FORBIDDEN" });
      expect(
        await mutate("auditor", "bulk.preview", { target: { hostIds: [stopped.id] }, intent }),
      ).toMatchObject({ status: 403, code: "FORBIDDEN" });
    }
    expect(
      await mutate("auditor", "host.setMaintenance", { hostId: stopped.id, reason: "no" }),
    ).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    });
    expect(await mutate("auditor", "instances.release", { ids: [instance.id] })).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    });
    expect(await nico("auditor", "DELETE", `acme/nico/instance/${instance.id}`)).toMatchObject({
      status: 403,
    });
    expect(await readHost(stopped.name)).toEqual(stopped);
    expect(await readHost(instance.host.name)).toEqual(instance.host);
    expect((await readInstance(instance.id)).status).toBe("Ready");
  },
);

test(
  "an act that the state forbids is off with its reason, and refused by the server",
  { tag: "@all" },
  async ({ openAs }) => {
    const host = await readyHost();
    const page = await openAs("operator");
    await page.goto(routes.host(host.name));
    await expect(stateLine(page)).toContainText("Ready");
    await page.getByRole("button", { name: "More actions" }).click();
    const retry = page.getByRole("menuitem", { name: /^Retry step/ });
    await expect(retry).toBeDisabled();
    await expect(retry.locator(".why")).not.toBeEmpty();
    const reason = await retry.locator(".why").innerText();
    const answer = await mutate("operator", "host.act", {
      hostId: host.id,
      intent: "retry",
      stateVersion: host.stateVersion,
    });
    expect(answer).toMatchObject({ status: 409, code: "CONFLICT" });
    expect(answer.detail.toLowerCase()).toContain(reason.toLowerCase());
    expect(await readHost(host.name)).toEqual(host);
  },
);

test(
  "an operator sets the boot device of a host in use and sees it on its page; others may not",
  { tag: "@all" },
  async ({ openAs }) => {
    const { host } = await findInstance("fixit");
    const page = await openAs("operator");
    await page.goto(routes.host(host.name));
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: /^Set boot/ }).click();
    const dialog = page.getByRole("dialog", { name: `Set boot: ${host.name}?` });
    // It would stay set for the next tenant.
    await expect(dialog.getByLabel("Secure boot")).toHaveCount(0);
    await dialog.getByLabel("Boot device", { exact: true }).selectOption("Network (PXE)");
    await dialog.getByRole("button", { name: "Set boot" }).click();
    await expect(head(page)).toContainText("Network (PXE) at the next boot");

    const auditor = await openAs("auditor");
    await auditor.goto(routes.host(host.name));
    await expect(head(auditor)).toContainText("Network (PXE) at the next boot");
    await expect(auditor.getByRole("button", { name: "More actions" })).toHaveCount(0);
    const tenant = await openAs("tenantAdmin");
    await tenant.goto(routes.host(host.name));
    await expect(tenant.getByRole("main")).not.toContainText("PXE");
    const { id: hostId, stateVersion } = await readHost(host.name);
    for (const name of ["auditor", "tenantAdmin"] as const)
      expect(await mutate(name, "host.setBoot", { hostId, stateVersion, device: "disk" })).toMatchObject({
        status: 403,
        code: "FORBIDDEN",
      });
  },
);

test("an act on a host that has moved on since it was seen is refused", async () => {
  const host = await readyHost();
  const answer = await mutate("operator", "host.act", {
    hostId: host.id,
    intent: "manage",
    stateVersion: String(BigInt(host.stateVersion) - 1n),
  });
  expect(answer).toMatchObject({ status: 409, code: "CONFLICT" });
  expect(await readHost(host.name)).toEqual(host);
});

test("only a provider admin is offered to delete a host", { tag: "@all" }, async ({ openAs }) => {
  const host = await readyHost();
  for (const [name, offered] of [
    ["operator", 0],
    ["providerAdmin", 1],
  ] as const) {
    const page = await openAs(name);
    await page.goto(routes.host(host.name));
    await page.getByRole("button", { name: "More actions" }).click();
    await expect(page.getByRole("menuitem", { name: /^Set maintenance|^Retry step/ }).first()).toBeVisible();
    await expect(page.getByRole("menuitem", { name: /^Delete/ })).toHaveCount(offered);
  }
  await mayNotAsk("operator", host, "forceDelete");
});

test(
  "a tenant admin is told of another tenant's instance what it is told of one that does not exist",
  { tag: "@all" },
  async ({ openAs }) => {
    const own = await findInstance("acme");
    const foreign = await findInstance("fixit");
    const nobodys = randomUUID();
    const page = await openAs("tenantAdmin");
    await page.goto(routes.instances({ open: foreign.id }));
    await expect(page.getByRole("row", { name: own.name })).toBeVisible();
    await expect(page.getByText(foreign.name)).toHaveCount(0);
    await expect(page.getByText(foreign.id)).toHaveCount(0);
    await expect(page.getByText(own.host.name)).toHaveCount(0); // nor which machine its own is on

    const withoutId = (text: string, id: string) => text.replaceAll(id, "ID");
    for (const procedure of ["instances.get", "instances.history"]) {
      const [theirs, none] = [
        await query("tenantAdmin", procedure, { id: foreign.id }),
        await query("tenantAdmin", procedure, { id: nobodys }),
      ];
      expect(theirs).toMatchObject({ status: 404, code: "NOT_FOUND" });
      expect({ ...theirs, detail: withoutId(theirs.detail, foreign.id) }).toEqual({
        ...none,
        detail: withoutId(none.detail, nobodys),
      });
    }
    const releases = z.array(z.object({ id: z.string(), ok: z.literal(false), message: z.string() }));
    const [theirs, none] = releases.parse(
      (await mutate("tenantAdmin", "instances.release", { ids: [foreign.id, nobodys] })).value,
    );
    expect(withoutId(theirs?.message ?? "", foreign.id)).toBe(withoutId(none?.message ?? "", nobodys));
    for (const method of ["GET", "DELETE"] as const) {
      const answers = [
        await nico("tenantAdmin", method, `acme/nico/instance/${foreign.id}`),
        await nico("tenantAdmin", method, `acme/nico/instance/${nobodys}`),
      ];
      expect(answers[0]?.status).toBe(404);
      expect(answers[0]).toEqual(answers[1]);
      expect(await nico("tenantAdmin", method, `fixit/nico/instance/${foreign.id}`)).toMatchObject({
        status: 403,
      });
    }
    expect((await readInstance(foreign.id)).status).toBe("Ready");
    expect(await readHost(foreign.host.name)).toEqual(foreign.host);
  },
);

test("a tenant admin is told the same of every host, there or not", { tag: "@all" }, async ({ openAs }) => {
  const host = await readyHost();
  const page = await openAs("tenantAdmin");
  const told: string[] = [];
  for (const name of [host.name, "no-such-host"]) {
    await page.goto(routes.host(name));
    await expect(page.getByRole("main").getByText(/cannot open this page/)).toBeVisible();
    told.push(await page.getByRole("main").innerText());
    await expect(page.getByText(host.serial)).toHaveCount(0);
  }
  expect(told[0]).toBe(told[1]);
  for (const id of [host.name, "no-such-host"])
    expect(await query("tenantAdmin", "host.get", { host: id })).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    });
  for (const procedure of ["host.reclamation", "host.gates", "host.history", "host.inventory"]) {
    expect(await query("tenantAdmin", procedure, { hostId: host.id })).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    });
  }
  for (const [procedure, input] of [
    ["hosts.list", {}],
    ["hosts.views", undefined],
    ["fleet.summary", undefined],
  ] as const) {
    expect(await query("tenantAdmin", procedure, input)).toMatchObject({ status: 403, code: "FORBIDDEN" });
  }
  expect((await page.request.get("/api/hosts.csv")).status()).toBe(403);
  await mayNotAsk("tenantAdmin", host, "manage");
});

test("a host that does not exist is a page that says so, to programs, too", async ({
  openAs,
  browserErrors,
}) => {
  browserErrors.expect(/status of 404/); // the browser's own message about the 404
  const host = await readyHost();
  const page = await openAs("operator");
  expect((await page.goto(routes.host(host.name)))?.status()).toBe(200);
  await expect(head(page)).toBeVisible();
  expect((await page.goto(routes.host("no-such-host")))?.status()).toBe(404);
  await expect(page.getByRole("main").getByText("Not found, or you don't have access")).toBeVisible();
  await page.getByRole("link", { name: "Go to the home page" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Next" })).toBeVisible();
});

test(
  "an address with an id that is none, or of nothing, is a page that says so",
  { tag: "@all" },
  async ({ openAs, browserErrors }) => {
    browserErrors.expect(/status of 404/);
    const page = await openAs("operator");
    const host = await readyHost();
    for (const id of ["no-such-id", "00000000-0000-4000-8000-00000000dead"])
      for (const path of [
        routes.cleaning.run(id),
        routes.cleaning.runbook(id),
        routes.cleaning.manual({ runbook: id }),
        routes.cleaning.manual({ hosts: [id] }),
        routes.cleaning.steps({ site: id }),
        routes.cleaning.steps({ sku: id }),
        routes.cleaning.steps({ host: id }),
        routes.enrolments.one(id),
        routes.gone.one(id),
        routes.host(id),
        routes.sku(id),
      ])
        expect((await page.request.get(path)).status(), path).toBe(404);
    // Below a part that has already been streamed the status stays 200, so check the text. A raw page, because our `goto` would wait for streamed content
    // that stays hidden in the page.
    const sent = await page.context().newPage();
    for (const path of [
      routes.settings.site({ site: "nowhere" }),
      routes.host(host.name, { tab: "reclamation", reclamation: "no-such-id" }),
    ]) {
      await sent.goto(path);
      await expect(
        sent.getByRole("main").getByText("Not found, or you don't have access"),
        path,
      ).toBeVisible();
    }
  },
);

test("who is not signed in is sent to sign in, comes back to where they wanted to go, and can leave again", async ({
  openAs,
  browserErrors,
}) => {
  browserErrors.expect(/status of 401/); // the browser's own message about the wrong password
  const host = await readyHost();
  const { email, password } = loginOf("operator");
  const page = await openAs("nobody");
  await page.goto(routes.host(host.name, { tab: "gates" }));
  await expect(page).toHaveURL(/\/signin\?next=/);
  await expect(page.getByText(host.serial)).toHaveCount(0);
  await fillSignIn(page, { email, password: `${password}!` });
  await expect(page.getByRole("alert").filter({ hasText: "Wrong email or password." })).toBeVisible();
  await fillSignIn(page, { email, password });
  await expect(page).toHaveURL(routes.host(host.name, { tab: "gates" }));
  await expect(head(page)).toBeVisible();
  await expect(page.getByRole("table", { name: "Gates" })).toBeVisible();
  await arrived(page);

  const kept = await page.context().cookies();
  expect((await page.request.get("/api/hosts.csv")).status()).toBe(200);
  await personMenu(page).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/signin$/);
  // A copied cookie is signed out as well, as soon as the process that answers has heard of it.
  await page.context().addCookies(kept);
  await expect.poll(async () => (await page.request.get("/api/hosts.csv")).status()).toBe(401);
  expect(await (await page.request.get("/api/auth/session")).json()).toEqual({});
  await page.goto(routes.hosts());
  await expect(page).toHaveURL(/\/signin\?next=%2Fhosts$/);
});

test("the server answers nobody who is not signed in", async ({ openAs }) => {
  const host = await readyHost();
  for (const procedure of ["session.me", "fleet.summary", "hosts.views"])
    expect(await query("nobody", procedure)).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  expect(
    await mutate("nobody", "host.act", {
      hostId: host.id,
      intent: "manage",
      stateVersion: host.stateVersion,
    }),
  ).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  const page = await openAs("nobody");
  for (const path of ["/api/live", "/api/hosts.csv"])
    expect((await page.request.get(path)).status()).toBe(401);
  expect(await readHost(host.name)).toEqual(host);
});

test("sign-in leads to no other site", async ({ openAs }) => {
  const page = await openAs("nobody");
  await page.goto("/signin?next=//elsewhere.example/");
  await fillSignIn(page, loginOf("auditor"));
  await expect(page.getByRole("heading", { level: 1, name: "Next" })).toBeVisible();
});
