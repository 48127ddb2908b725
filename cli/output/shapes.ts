// What each command prints as JSON and YAML: the answers of the contract, without the members that only the console's pages use
// (docs/cli.md).
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { evidenceReceipt } from "@/server/contract/assurance/evidence";
import { leftoverLine } from "@/server/contract/hosts/leftovers";
import { list, record } from "@/server/contract/define";
import { entryForm } from "@/server/domain/audit-log/entry";
import { unaccountedDrive } from "@/server/domain/cleaning/sanitization/unaccounted";

/** Incremented when a member is removed, renamed or changes its meaning; not for new members. */
export const outputVersion = 1;

/** Members that only the console's pages use: colours, motion, URLs, which buttons to show. */
export const pageMembers: ReadonlySet<string> = new Set([
  "tone",
  "live",
  "href",
  "feedPosition",
  "pages",
  "mayWriteHosts",
  "mayCreateInstances",
  "mayReleaseInstances",
  "mayNote",
  "mayChange",
  "demoDesk",
  "siteLabel",
]);

/** Free-form data that is printed unchanged, because its members are not ours to filter. */
const untouched: ReadonlySet<string> = new Set(["before", "after", "evidence", "document", "args"]);

/** A value as it is printed: plain JSON types, without page members. */
export function printed(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(printed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      pageMembers.has(name) ? [] : [[name, untouched.has(name) ? member : printed(member)]],
    ),
  );
}

const { hosts, host, instances, reclamations, cleaning, queue, failures, images, skus, site } = contract;
const row = hosts.list.output.unwrap().shape.rows;
const inventory = host.inventory.output.unwrap().shape;
const queued = queue.get.output.unwrap().shape;
const siteQueue = queued.sites.unwrap().element.unwrap().shape;
const imageSite = images.list.output.unwrap().shape.sites.unwrap().element.unwrap().shape;
const compared = site.compare.output.unwrap().shape;

const ofHost = { host: z.string(), hostId: z.string() };
const ofInstance = { instance: z.string(), id: z.string(), message: z.string() };
/** The result of an act on hosts, or of its dry run. */
const actResults = z.union([
  list(record({ ...ofHost, accepted: z.boolean(), message: z.string() })),
  list(record({ ...ofHost, possible: z.boolean(), message: z.string() })),
]);

const nodeStep = z.looseObject({
  interface: z.string(),
  step: z.string(),
  priority: z.number(),
  abortable: z.boolean().optional(),
});

const acts = [
  "hosts manage",
  "hosts provide",
  "hosts restart",
  "hosts inspect",
  "hosts inspect-by-agent",
  "hosts shut-down",
  "hosts soft-reboot",
  "hosts inject-nmi",
  "hosts boot",
  "hosts power-on",
  "hosts power-off",
  "hosts reboot",
  "hosts skip-erase-wait",
  "hosts ask-network",
  "hosts delete",
  "hosts place",
  "hosts maintenance set",
  "hosts maintenance clear",
  "hosts dispose-drive",
  "hosts assign-sku",
  "hosts set-bmc",
  "hosts confirm-certificate",
  "hosts decommission",
  "hosts accept-leftovers",
  "retry",
  "abort",
  "resume",
  "hold",
  "clean",
];

/** By command. */
export const shapes: Readonly<Record<string, z.ZodType>> = {
  "hosts list": row,
  "hosts show": z.union([
    record({
      ...host.get.output.unwrap().shape,
      capabilities: inventory.capabilities,
      bios: inventory.bios,
      baseline: inventory.baseline,
    }),
    hosts.goneOne.output,
  ]),
  "hosts history": host.history.output.unwrap().shape.states,
  "hosts traits": list(record({ trait: z.string() })),
  "hosts drives": list(unaccountedDrive),
  "hosts views": hosts.savedViews.output,
  "hosts filter-values": list(record({ key: z.string(), value: z.string() })),
  "hosts labels show": list(record({ name: z.string(), value: z.string() })),
  "hosts gone": hosts.gone.output.unwrap().shape.rows,
  "hosts leftovers": list(leftoverLine),
  "hosts enroll": contract.enrolment.enroll.output,
  ...Object.fromEntries(acts.map((name) => [name, actResults])),
  "drives list": contract.drives.list.output.unwrap().shape.rows,
  "drives models": contract.drives.models.output.unwrap().shape.rows,
  "drives show": contract.drives.get.output,
  "hosts health show": contract.health.get.output,
  "hosts health templates": contract.health.templates.output,
  "health-sources list": contract.health.sources.output,
  "health-sources add": contract.health.addSource.output,
  "hosts lease show": contract.leases.get.output,
  "repair-systems list": contract.leases.systems.output,
  "repair-systems add": contract.leases.addSystem.output,
  "repair-systems renew": contract.leases.renewSystem.output,
  "health-sources replace-token": contract.health.replaceToken.output,
  "tenants list": contract.tenants.list.output,
  "enrolments list": contract.enrolment.list.output,
  "enrolments show": contract.enrolment.get.output.unwrap().shape.rows,
  fleet: contract.fleet.summary.output,
  watch: record({ at: z.date(), ...row.unwrap().element.unwrap().shape }),
  "instances list": instances.list.output.unwrap().shape.rows,
  "instances show": instances.get.output,
  "instances status-history": instances.history.output,
  "instances receipt": instances.receipt.output,
  "instances available": instances.offer.output.unwrap().shape.kinds,
  "instances create": record({ instance: z.string(), ...instances.create.output.unwrap().shape }),
  release: z.union([
    record({ ...ofInstance, accepted: z.literal(true) }),
    list(record({ ...ofInstance, accepted: z.boolean() })),
    list(record({ ...ofInstance, possible: z.boolean() })),
  ]),
  "repair queue": contract.repair.queue.output.unwrap().shape.rows,
  "repair held": contract.repair.held.output,
  "repair outcomes": contract.repair.outcomes.output.unwrap().shape.rows,
  "repair offenders": contract.repair.offenders.output.unwrap().shape.rows,
  "repair show": contract.repair.host.output,
  "repair claim": record({ instance: z.string(), ...instances.create.output.unwrap().shape }),
  "tickets list": contract.tickets.list.output.unwrap().shape.rows,
  "tickets show": contract.tickets.get.output,
  "tickets open": contract.tickets.open.output,
  "notices list": contract.notices.list.output,
  "notices create": contract.notices.create.output,
  "capacity events": contract.capacity.events.output,
  "capacity nodes": contract.capacity.nodes.output,
  "webhooks list": contract.webhooks.list.output,
  "webhooks deliveries": contract.webhooks.deliveries.output,
  "webhooks create": contract.webhooks.create.output,
  "reclamations list": reclamations.list.output.unwrap().shape.rows,
  "reclamations show": record({
    ...host.reclamation.output.unwrap().unwrap().shape,
    host: record({ id: z.string(), name: z.string() }),
    gates: host.gates.output,
  }),
  steps: cleaning.catalogue.output.unwrap().shape.steps,
  "runbooks list": cleaning.runbooks.output,
  "runbooks show": cleaning.runbook.output,
  queue: record({
    ...queued,
    sites: list(record({ ...siteQueue, hosts: queue.hosts.output.unwrap().shape.hosts })),
  }),
  "brakes list": queued.brakes,
  "failures list": failures.groups.output.unwrap().shape.groups,
  "failures show": failures.groups.output.unwrap().shape.groups.unwrap().element,
  "images list": list(
    record({
      site: z.string(),
      image: z.union([
        imageSite.past.unwrap().element,
        imageSite.candidate.unwrap(),
        imageSite.current.unwrap(),
      ]),
      use: imageSite.current.unwrap().unwrap().shape.use.nullable(),
      says: z.string().nullable(),
    }),
  ),
  "proof search": contract.proof.search.output.unwrap().shape.rows,
  "proof show": contract.proof.get.output,
  "proof timeline": contract.proof.timeline.output.unwrap().shape.rows,
  "certificates list": contract.certificates.list.output.unwrap().shape.rows,
  verify: list(record({ what: z.string(), why: z.string() })),
  "trust list": list(record({ key: z.string() })),
  "evidence list": contract.evidence.list.output.unwrap().shape.rows,
  "evidence put": evidenceReceipt,
  "security events list": contract.security.list.output.unwrap().shape.rows,
  "security events show": contract.security.get.output,
  "security events acknowledge": contract.security.acknowledge.output,
  "audit list": contract.audit.list.output.unwrap().shape.rows,
  "audit show": contract.audit.list.output.unwrap().shape.rows.unwrap().element,
  "audit follow": record({ seq: z.number(), ...entryForm.shape }),
  "audit keys": contract.audit.keys.output,
  "audit status": contract.audit.state.output,
  "audit checks": contract.audit.checks.output.unwrap().shape.items,
  "audit faults": contract.audit.selfAudit.output.unwrap().shape.faults,
  "audit self-check": contract.audit.selfAudit.output.unwrap().shape.faults,
  "audit verify": list(record({ what: z.string(), why: z.string() })),
  "approvals list": contract.approvals.list.output.unwrap().shape.items,
  "approvals show": contract.policyChanges.get.output.unwrap().shape.changes,
  "approvals ending": contract.approvals.ending.output.unwrap().shape.items,
  "exceptions list": contract.exceptions.list.output.unwrap().shape.items,
  "procedures list": list(
    record({
      ...contract.procedures.list.output.unwrap().element.unwrap().shape.procedures.unwrap().element.shape,
      site: z.string(),
      required: z.boolean(),
    }),
  ),
  "procedures history": list(
    record({ ...contract.procedures.history.output.unwrap().element.unwrap().shape, changes: z.string() }),
  ),
  "procedures due": contract.procedures.due.output.unwrap().shape.items,
  "procedures of-host": contract.procedures.ofHost.output,
  "procedures show": contract.procedures.get.output,
  "policy show": record({
    ...cleaning.sitePolicy.output.unwrap().shape,
    overrides: cleaning.overrides.output,
  }),
  "policy priorities list": cleaning.overrides.output,
  "policy preview": contract.policy.preview.output,
  "skus list": skus.list.output.unwrap().shape.skus,
  "skus groups": skus.list.output.unwrap().shape.clusters,
  "skus show": skus.get.output,
  "site export": site.get.output.unwrap().shape.document,
  "site diff": compared.changes,
  "site apply": site.apply.output,
  "site restore": site.apply.output,
  "site history": z.union([site.versions.output, compared.changes]),
  "site authorities": site.get.output.unwrap().shape.authorities,
  "users list": contract.people.list.output,
  "users create": contract.people.create.output,
  "users reset-password": contract.people.resetPassword.output,
  "users reset-passkeys": contract.people.resetPasskeys.output,
  "tokens list": contract.tokens.list.output,
  "sessions list": contract.sessions.list.output,
  whoami: contract.session.me.output,
  "config show": record({
    url: z.string(),
    urlFrom: z.string(),
    token: z.literal("set").nullable(),
    tokenFrom: z.string().nullable(),
    output: z.string(),
    utc: z.boolean(),
    file: z.string(),
  }),
  "node get-clean-steps": list(nodeStep),
};

const withProperties = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/** Removes page members at every depth. */
function withoutPageMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPageMembers);
  if (typeof value !== "object" || value === null) return value;
  const parsed = withProperties.safeParse(value);
  const members = parsed.success
    ? {
        ...value,
        properties: Object.fromEntries(
          Object.entries(parsed.data.properties).filter(([name]) => !pageMembers.has(name)),
        ),
        required: parsed.data.required.filter((name) => !pageMembers.has(name)),
      }
    : value;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, withoutPageMembers(member)]),
  );
}

/** JSON Schema (2020-12) of a command's output; null if it prints no data. */
export function outputSchema(command: string): unknown {
  const shape = shapes[command];
  if (shape === undefined) return null;
  const schema = z.toJSONSchema(shape, {
    io: "output",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === "date")
        Object.assign(jsonSchema, { type: "string", format: "date-time" });
    },
  });
  return withoutPageMembers(schema);
}
