// The catalogue of clean steps for a site, a SKU, a host or a hardware type: the priorities in force and where they come from.
import { z } from "zod";
import { automatedPlan, inOrder } from "@/server/domain/cleaning/plan/plan";
import { effectiveSteps, tieMessage, tiesWithinInterface } from "@/server/domain/cleaning/plan/priorities";
import { faultyFiles } from "@/server/domain/cleaning/plan/site-steps";
import type { StepOverride } from "@/server/domain/cleaning/plan/priorities";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { catalogueOf } from "@/server/domain/hosts/fake/fake-steps";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type {
  Catalogue,
  CatalogueArg,
  CatalogueStep,
  CatalogueSubject,
} from "@/server/contract/cleaning/cleaning-answers";
import { offeredBy, readKnownHost, toOverrides } from "@/server/usecases/cleaning/known-host";
import type { KnownHost } from "@/server/usecases/cleaning/known-host";
import type { HardwareManager } from "@/server/domain/agents/protocol";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export type CatalogueQuery =
  | { readonly kind: "site"; readonly siteId: string }
  /** With a site, its overrides count as well. */
  | { readonly kind: "sku"; readonly skuId: string; readonly siteId?: string | undefined }
  /** By id or name. */
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "hardwareType"; readonly hardwareType: string; readonly siteId?: string | undefined };

/** Full names of the controller's steps that a hardware type implements; null for an unknown type. Use cases have no hardware code themselves. */
export type StepCodeOf = (hardwareType: string) => ReadonlySet<string> | null;

const args = (step: CleanStep): readonly CatalogueArg[] =>
  step.args.map(({ name, description, required, schema }) => ({
    name,
    description,
    required,
    schema: z.toJSONSchema(schema),
  }));

interface Parts {
  readonly subject: CatalogueSubject;
  readonly overrides: readonly StepOverride[];
  readonly managers: readonly HardwareManager[];
  readonly applies: (step: CleanStep) => boolean | null;
}

/** The manager that offers the step, if it is not one of ours. */
function managerOf(step: CleanStep, managers: readonly HardwareManager[]): CatalogueStep["manager"] {
  const found = managers.find((manager) =>
    manager.steps.some((offered) => stepName(offered) === stepName(step)),
  );
  return found === undefined || cleanSteps.includes(step)
    ? null
    : { name: found.name, version: found.version };
}

/** Without a hardware type, steps are described as for real machines. */
const typeOf = ({ hardwareType }: CatalogueSubject) => ({ hardwareType: hardwareType ?? "" });

function assemble({
  subject,
  overrides,
  managers,
  applies,
}: Parts): Omit<Catalogue, "agent" | "host" | "order"> {
  const effective = effectiveSteps(catalogueOf(typeOf(subject), offeredBy(managers)), overrides);
  const at = (step: CleanStep, scope: StepOverride["scope"]) =>
    overrides.find((override) => override.scope === scope && stepName(override) === stepName(step))
      ?.priority ?? null;
  return {
    subject,
    ties: tiesWithinInterface(effective).map(tieMessage),
    steps: effective.map(({ step, priority, source }): CatalogueStep => ({
      name: stepName(step),
      interface: step.interface,
      step: step.step,
      summary: step.summary,
      where: step.where,
      abortable: step.abortable,
      erases: step.erases,
      restarts: step.restarts,
      reserved: step.reserved,
      state: step.state,
      proves: step.proves,
      failureCause: step.failureCause,
      args: args(step),
      manager: managerOf(step, managers),
      defaultPriority: step.priority,
      priority,
      source,
      overrides: { site: at(step, "site"), sku: at(step, "sku"), host: at(step, "host") },
      applies: applies(step),
    })),
  };
}

const orderOf = (
  subject: CatalogueSubject,
  overrides: readonly StepOverride[],
  code: (step: CleanStep) => boolean | null,
): readonly string[] =>
  inOrder(
    effectiveSteps(catalogueOf(typeOf(subject), []), overrides).filter(
      ({ step, priority }) => priority > 0 && code(step) !== false,
    ),
  ).map(({ step }) => stepName(step));

function ofHost(host: KnownHost): Catalogue {
  const { known } = host;
  const managers = host.agent?.managers ?? [];
  const applies = (step: CleanStep): boolean | null => (known === null ? null : step.applies(known));
  const subject: CatalogueSubject = {
    kind: "host",
    id: host.id,
    name: host.name,
    site: host.site,
    sku: host.sku,
    hardwareType: host.hardwareType,
  };
  return {
    ...assemble({ subject, overrides: host.overrides, managers, applies }),
    order:
      known === null
        ? orderOf(subject, host.overrides, applies)
        : automatedPlan(catalogueOf(host, offeredBy(managers)), host.overrides, known).map(({ step }) =>
            stepName(step),
          ),
    agent:
      host.agent === null
        ? null
        : {
            version: host.agent.version,
            reportedAt: host.agent.reportedAt,
            managers: managers.map(({ name, version }) => ({ name, version })),
            faults: faultyFiles(managers),
          },
    host: {
      state: host.state,
      stateVersion: host.stateVersion,
      traits: host.traits,
      automatedClean: host.automatedClean,
    },
  };
}

/** @param codeOf which steps each hardware type implements, from the caller that knows the hardware */
export async function readCatalogue(
  backend: Backend,
  actor: Actor,
  query: CatalogueQuery,
  codeOf: StepCodeOf,
): Promise<Outcome<Catalogue>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const { database } = backend;
  if (query.kind === "host") {
    const found = await findReadableHost(backend, actor, query.host);
    if (!found.ok) return found;
    const host = await readKnownHost(database, found.value.id);
    return host === null ? notFound("host", query.host) : done(ofHost(host));
  }
  const site =
    query.siteId === undefined
      ? null
      : await database.site.findUnique({ where: { id: query.siteId }, select: { id: true, name: true } });
  if (query.siteId !== undefined && site === null) return notFound("site", query.siteId);
  const sku =
    query.kind === "sku"
      ? await database.sku.findUnique({ where: { id: query.skuId }, select: { id: true, name: true } })
      : null;
  if (query.kind === "sku" && sku === null) return notFound("SKU", query.skuId);
  const overrides = toOverrides(
    await database.stepOverride.findMany({
      where: { scopeId: { in: [site, sku].flatMap((row) => (row === null ? [] : [row.id])) } },
    }),
  );
  const code = query.kind === "hardwareType" ? codeOf(query.hardwareType) : null;
  const applies = (step: CleanStep): boolean | null =>
    query.kind !== "hardwareType"
      ? null
      : step.where === "agent" || step.reserved
        ? true
        : code === null
          ? null
          : code.has(stepName(step));
  const named =
    query.kind === "hardwareType"
      ? { id: query.hardwareType, name: query.hardwareType }
      : query.kind === "sku"
        ? sku
        : site;
  if (named === null) return notFound(query.kind, "");
  const subject: CatalogueSubject = {
    kind: query.kind,
    ...named,
    site,
    sku,
    hardwareType: query.kind === "hardwareType" ? query.hardwareType : null,
  };
  return done({
    ...assemble({ subject, overrides, managers: [], applies }),
    order: orderOf(subject, overrides, applies),
    agent: null,
    host: null,
  });
}
