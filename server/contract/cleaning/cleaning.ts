// Clean steps, priorities, runbooks and manual cleaning.
import { z } from "zod";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { maxHoldMs } from "@/server/domain/cleaning/interruptions";
import { manualSteps } from "@/server/domain/cleaning/plan/manual";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import { traits } from "@/server/domain/cleaning/plan/traits";
import {
  catalogue,
  cleaningCandidates,
  cleaningEstimate,
  cleaningScopes,
  overrideLine,
  overridePreview,
  runbookLine,
  sitePolicyView,
} from "@/server/contract/cleaning/cleaning-answers";
import { act, hostId, list, moment, nothing, read, reason, record, siteId } from "@/server/contract/define";
import { accepted, askOfHost } from "@/server/contract/hosts/host";

const runbookId = z.guid("must be the id of a runbook");

/** The work of a manual cleaning: exactly one of the two. */
export const manualWork = { steps: manualSteps.optional(), runbookId: runbookId.optional() };

/** Identifies an override: a step, at a site, a SKU or a host. */
const overrideName = {
  scope: z.enum(overrideScopes),
  scopeId: z.guid("must be the id of a site, SKU or host"),
  interface: z.string().min(1).max(32),
  step: z.string().min(1).max(64),
};

const catalogueSubject = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("site"), siteId }),
  z.strictObject({
    kind: z.literal("sku"),
    skuId: z.guid("must be the id of a SKU"),
    siteId: siteId.optional(),
  }),
  z.strictObject({ kind: z.literal("host"), host: z.string().min(1).max(64) }),
  z.strictObject({
    kind: z.literal("hardwareType"),
    hardwareType: z.string().min(1).max(64),
    siteId: siteId.optional(),
  }),
]);

const policyVersion = record({ policyVersion: z.number() });

const reads = {
  scopes: read({
    title: "the sites, SKUs, hardware types and traits that cleaning can be set for",
    right: "cleaning.read",
    input: nothing,
    output: cleaningScopes,
  }),
  catalogue: read({
    title: "the clean steps of a site, SKU, host or hardware type, with their effective priorities",
    right: "cleaning.read",
    input: catalogueSubject,
    output: catalogue,
  }),
  sitePolicy: read({
    title: "the cleaning policy of a site",
    right: "cleaning.read",
    input: z.strictObject({ siteId }),
    output: sitePolicyView,
  }),
  overrides: read({
    title: "the priority overrides, all or those of one site, SKU or host",
    right: "cleaning.read",
    input: z.strictObject({ scopeId: z.guid().optional() }),
    output: list(overrideLine),
  }),
  previewOverride: read({
    title: "what another priority of a step would change, before it is saved",
    right: "cleaning.read",
    input: z.strictObject({ ...overrideName, priority: z.number().nullable() }),
    output: overridePreview,
  }),
  runbooks: read({
    title: "the runbooks",
    right: "cleaning.read",
    input: nothing,
    output: list(runbookLine),
  }),
  runbook: read({
    title: "one runbook",
    right: "cleaning.read",
    input: z.strictObject({ id: runbookId }),
    output: runbookLine,
  }),
  candidates: read({
    title: "which hosts of a filter can be cleaned manually, and why others cannot",
    right: "host.clean",
    input: z.strictObject({ filter: z.string().max(2_000).default(""), runbookId: runbookId.optional() }),
    output: cleaningCandidates,
  }),
  estimate: read({
    title: "what a manual cleaning of a host would do, and how long it would take",
    right: "cleaning.read",
    input: z.strictObject({ hostId, ...manualWork }),
    output: cleaningEstimate,
  }),
};

const policyActs = {
  saveOverride: act({
    title: `sets the priority of a clean step for a site, SKU or host; 0 disables it. ${leftOutMeaning}`,
    right: "cleaning.override",
    action: "override.save",
    input: z.strictObject({ ...overrideName, priority: z.number() }),
    output: record({ priority: z.number() }),
  }),
  removeOverride: act({
    title: "removes a priority override of a site, SKU or host: the wider scope or the default applies again",
    right: "cleaning.override",
    action: "override.remove",
    input: z.strictObject(overrideName),
    output: record({ removed: z.boolean() }),
  }),
  setSiteAutomatedClean: act({
    title: `switches automated cleaning of a site; a host may have a setting of its own. ${leftOutMeaning}`,
    right: "cleaning.override",
    action: "site.setAutomatedClean",
    input: z.strictObject({
      siteId,
      automatedClean: z.boolean(),
      /** The policy version that the person saw. */
      policyVersion: z.int().min(1).optional(),
    }),
    output: policyVersion,
  }),
  setHostAutomatedClean: act({
    title: `sets whether a host is cleaned automatically, or follows its site. ${leftOutMeaning}`,
    right: "cleaning.override",
    action: "host.setAutomatedClean",
    /** Null: as the site says. */
    input: z.strictObject({ hostId, automatedClean: z.boolean().nullable() }),
    output: record({ automatedClean: z.boolean().nullable() }),
  }),
  setTraits: act({
    title: "sets the traits of a host: which runbooks may run on it",
    right: "host.clean",
    action: "host.setTraits",
    input: z.strictObject({ hostId, traits }),
    output: record({ traits: list(z.string()) }),
  }),
  saveRunbook: act({
    title: "creates a runbook, or changes one if nobody else has changed it",
    right: "runbook.write",
    action: "runbook.save",
    input: z.strictObject({
      /** Null for a new runbook. */
      id: runbookId.nullable(),
      /** The version that the person edited; absent for a new one. */
      version: z.int().min(1).optional(),
      name: z.string().trim().min(1, "give it a name").max(128, "at most 128 characters"),
      description: z.string().trim().max(2_000, "at most 2,000 characters").default(""),
      traits: traits.refine(
        (wanted) => wanted.length > 0,
        "at least one: the runbook only runs on hosts that share one",
      ),
      steps: manualSteps,
    }),
    output: record({ id: z.string(), version: z.number() }),
  }),
  removeRunbook: act({
    title: "deletes a runbook if nobody else has changed it",
    right: "runbook.write",
    action: "runbook.remove",
    input: z.strictObject({ id: runbookId, version: z.int().min(1) }),
    output: record({ removed: z.literal(true) }),
  }),
};

const hostActs = {
  start: act({
    title: hostActions.clean.summary,
    right: hostActions.clean.right,
    action: "host.clean",
    input: z.strictObject({ ...askOfHost.shape, ...manualWork }),
    output: accepted,
  }),
  abort: act({
    title: hostActions.abort.summary,
    right: hostActions.abort.right,
    action: "host.abort",
    input: askOfHost,
    output: accepted,
  }),
  hold: act({
    title: hostActions.hold.summary,
    right: hostActions.hold.right,
    action: "host.hold",
    input: z.strictObject({
      ...askOfHost.shape,
      reason,
      /** How long, in ms; defaults to the site's setting if `until` is absent too. */
      forMs: z.int().min(1).max(maxHoldMs, "at most 30 days").optional(),
      until: moment.optional(),
    }),
    output: accepted,
  }),
  resume: act({
    title: hostActions.resume.summary,
    right: hostActions.resume.right,
    action: "host.resume",
    input: askOfHost,
    output: accepted,
  }),
};

export const cleaning = { ...reads, ...policyActs, ...hostActs };
