// Shared by tests of leases: the systems, their requests, and what is recorded about a host.
import { randomUUID } from "node:crypto";
import { tenantGrants } from "@/server/domain/access/tenant-grants";
import { tokenHash } from "@/server/domain/access/tokens";
import { fromTemplate } from "@/server/domain/repair/health/templates";
import type { TemplateName } from "@/server/domain/repair/health/templates";
import { inTransaction } from "@/server/db/transaction";
import type { MachineFixture } from "@/server/surfaces/machine/testing/machine-fixture";
import { insertTicket } from "@/server/usecases/break-fix/stored-tickets";
import { writeReports } from "@/server/usecases/repair/health/write-reports";

export interface LeaseCall {
  readonly lease?: string;
  readonly body?: unknown;
}

interface Systems {
  readonly tokens: { readonly fixit: string; readonly other: string; readonly south: string };
  readonly tenantId: string;
  readonly otherSiteId: string;
}

/** Systems for all sites and for another site, and a tenant that may repair. */
export async function addSystems(
  fixture: MachineFixture,
  { tokens, tenantId, otherSiteId }: Systems,
): Promise<void> {
  await fixture.query("INSERT INTO site (id, name) VALUES ($1, 'south')", [otherSiteId]);
  await fixture.query("INSERT INTO tenant (id, org, name) VALUES ($1, 'fixers', 'Fixers')", [tenantId]);
  await fixture.query(
    "INSERT INTO tenant_grant (tenant_id, site_id, kind, given_by) SELECT $1::uuid, $2::uuid, unnest($3::text[]), 'test'",
    [tenantId, fixture.siteId, [...tenantGrants]],
  );
  const add = (name: string, siteId: string | null, token: string) =>
    fixture.query(
      "INSERT INTO repair_system (id, name, site_id, hash, created_by) VALUES ($1, $2, $3, $4, 'test')",
      [randomUUID(), name, siteId, tokenHash(token)],
    );
  await add("fixit", null, tokens.fixit);
  await add("other", null, tokens.other);
  await add("south", otherSiteId, tokens.south);
}

/** A request of a repair system. */
export async function callLease(
  fixture: MachineFixture,
  {
    method,
    host,
    token,
    lease,
    body,
  }: LeaseCall & { readonly method: string; readonly host: string; readonly token: string | null },
) {
  const response = await fetch(`${fixture.url}/repair-leases/v1/hosts/${host}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(lease === undefined ? {} : { "reclaim-lease": lease }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === "" ? null : (JSON.parse(text) as Record<string, unknown>),
  };
}

/** Opens a ticket for a host. */
export async function openTicketOf(fixture: MachineFixture, hostId: string, ofTenant: string | null) {
  const made = await fixture.database.$transaction((tx) =>
    insertTicket(
      tx,
      {
        hostId,
        tenantId: ofTenant,
        instanceId: null,
        origin: "operator",
        category: "unspecified",
        summary: "fans fail",
        details: "",
        parts: [],
        externalRef: null,
        replacementWanted: false,
      },
      { author: "system", tenantId: null, name: "Reclaim" },
    ),
  );
  if (made === null) throw new Error(`there is no host ${hostId}`);
  return made;
}
/** In order: audience, text, author. */
export const readNotes = async (fixture: MachineFixture, ticketId: string) =>
  (
    await fixture.query<{ audience: string; note: string; by: string }>(
      "SELECT audience, note, by FROM ticket_update WHERE ticket_id = $1 ORDER BY seq",
      [ticketId],
    )
  ).map(({ audience, note, by }) => [audience, note, by]);
/** A health report that requests a repair. */
export const reportRepair = (fixture: MachineFixture, hostId: string, template: TemplateName) =>
  inTransaction(fixture.database, (tx) =>
    writeReports(
      tx,
      hostId,
      [
        {
          kind: "set",
          source: template === "request-repair" ? "repair-request" : "tenant-reported-issue",
          mode: "merge",
          report: fromTemplate(template, "fans fail", null),
          heartbeatSeconds: null,
        },
      ],
      { name: "test", reason: null },
    ),
  );
