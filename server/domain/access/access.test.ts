// The whole matrix of role × right × own or foreign, written out a second time by hand, so that a change to the table has to be made twice.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { decide, rights } from "@/server/domain/access/access";
import type { AccessDecision, Right } from "@/server/domain/access/access";
import { roles, roleTable } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";

const mine = "10000000-0000-4000-8000-000000000001";
const theirs = "20000000-0000-4000-8000-000000000002";
const me = "30000000-0000-4000-8000-000000000003";

/** A allowed, F forbidden, H hidden; own then foreign, in the order operator, provider admin, tenant admin, repair tenant admin, auditor. */
const expected: Record<Right, string> = {
  "next.read": "AA AA AH AH AA",
  "fleet.read": "AA AA FF FF AA",
  "host.list": "AA AA FF FF AA",
  "host.read": "AA AA FF FF AA",
  "host.summary": "AA AA FF AA AA",
  "host.manage": "AA AA FF FF FF",
  "host.provide": "AA AA FF FF FF",
  "host.retry": "AA AA FF FF FF",
  "host.restart": "AA AA FF FF FF",
  "host.clean": "AA AA FF FF FF",
  "host.interrupt": "AA AA FF FF FF",
  "host.power": "AA AA FF FF FF",
  "host.maintenance": "AA AA FF FF FF",
  "host.lease": "AA AA FF FF FF",
  "host.breakLease": "FF AA FF FF FF",
  "host.dispose": "AA AA FF FF FF",
  "host.enroll": "AA AA FF FF FF",
  "host.edit": "AA AA FF FF FF",
  "host.label": "AA AA FF AA FF",
  "host.delete": "FF AA FF FF FF",
  "host.decommission": "AA AA FF FF FF",
  "cleaning.read": "AA AA FF FF AA",
  "cleaning.override": "FF AA FF FF FF",
  "runbook.write": "AA AA FF FF FF",
  "brake.lift": "AA AA FF FF FF",
  "image.rollOut": "FF AA FF FF FF",
  "image.withdraw": "AA AA FF FF FF",
  "site.read": "AA AA FF FF AA",
  "site.apply": "FF AA FF FF FF",
  "sku.write": "FF AA FF FF FF",
  "failure.note": "AA AA FF FF FF",
  "instance.read": "AA AA AH AH AA",
  "instance.create": "FF FF AH AH FF",
  "instance.edit": "FF FF AH AH FF",
  "instance.release": "AA AA AH AH FF",
  "ticket.read": "AA AA AH AH AA",
  "ticket.open": "AA AA AH AH FF",
  "ticket.update": "AA AA AH AH FF",
  "repair.read": "AA AA FF AA AA",
  "notice.read": "AA AA AH AH AA",
  "notice.write": "AA AA FF FF FF",
  "notice.acknowledge": "FF FF AH AH FF",
  "capacity.read": "AA AA AH AH AA",
  "webhook.read": "FF AA AH AH AA",
  "webhook.write": "FF AA AH AH FF",
  "certificate.read": "AA AA AH AH AA",
  "evidence.read": "AA AA FF AH AA",
  "evidence.write": "AA AA FF AH FF",
  "evidence.hold": "FF AA FF FF FF",
  "database.afterRestore": "FF AA FF FF FF",
  "assurance.read": "AA AA FF FF AA",
  "assurance.readHost": "AA AA FF AH AA",
  "assurance.record": "AA AA FF AH FF",
  "assurance.sign": "AA AA FF FF FF",
  "assurance.askException": "AA AA FF FF FF",
  "assurance.except": "FF AA FF FF FF",
  "security.read": "AA AA FF FF AA",
  "security.acknowledge": "AA AA FF FF FF",
  "audit.read": "FF AA FF FF AA",
  "audit.selfCheck": "FF AA FF FF FF",
  "audit.acknowledge": "FF AA FF FF FF",
  "audit.rotateKey": "FF AA FF FF FF",
  search: "AA AA AH AH AA",
  "feed.read": "AA AA AH AH AA",
  "person.read": "FF AA FF FF AA",
  "person.manage": "FF AA FF FF FF",
  "tenant.read": "AA AA FF FF AA",
  "tenant.manage": "FF AA FF FF FF",
  "token.read": "AH AA AH AH AA",
  "token.create": "AH AH AH AH AH",
  "token.revoke": "AH AA AH AH AH",
  "session.read": "AH AA AH AH AA",
  "session.end": "AH AA AH AH AH",
  "account.change": "AH AH AH AH AH",
  "account.views": "AH AH FF FF AH",
};
const letters: Record<string, AccessDecision> = { A: "allowed", F: "forbidden", H: "hidden" };

const asker = (role: Role) => ({ personId: me, role, tenantId: roleTable[role].ofTenant ? mine : null });
/** Rights about a person's own things. */
const personal = /^(token|session|account)\./;
const belonging = (right: Right, whose: "own" | "foreign") =>
  personal.test(right)
    ? { tenantId: null, personId: whose === "own" ? me : theirs }
    : { tenantId: whose === "own" ? mine : theirs };

describe.each(rights)("%s", (right) => {
  const cells = expected[right].split(" ");
  it.each(
    roles.flatMap((role, index) =>
      (["own", "foreign"] as const).map((whose, place) => ({
        role,
        whose,
        letter: cells[index]?.[place] ?? "",
      })),
    ),
  )("$role, $whose: $letter", ({ role, whose, letter }) =>
    expect(decide(asker(role), right, belonging(right, whose))).toBe(letters[letter]),
  );
});

describe("whose a thing is", () => {
  it("is nobody's for a tenant when it has no tenant", () =>
    expect(decide(asker("tenant-admin"), "instance.read", { tenantId: null })).toBe("hidden"));
  it("is nobody's for a tenant role without a tenant, even where the thing has none either", () =>
    expect(
      decide({ personId: me, role: "tenant-admin", tenantId: null }, "instance.release", { tenantId: null }),
    ).toBe("hidden"));
});

describe("an auditor", () => {
  const writes = rights.filter((right) => !/read|list|summary|search/.test(right) && !personal.test(right));
  it.each(writes)("may not %s", (right) =>
    expect(decide(asker("auditor"), right, { tenantId: null })).toBe("forbidden"),
  );
});

it("what each role may is told in the README as in the console", () => {
  const readme = readFileSync(fileURLToPath(new URL("../../../README.md", import.meta.url)), "utf8");
  for (const role of roles) expect(readme).toContain(`| \`${role}\` | ${roleTable[role].may} |`);
});
