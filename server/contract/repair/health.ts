// Health of hosts: reports by source, templates, and who may report (docs/repair.md).
import { z } from "zod";
import { healthSource, healthTemplate, hostHealth } from "@/server/contract/repair/health-answers";
import { act, hostId, list, nothing, read, reason, record } from "@/server/contract/define";
import { healthLevels } from "@/server/domain/repair/health/fold";
import {
  alertTexts,
  heartbeatSeconds,
  reportInput,
  reportModes,
  sourceName,
} from "@/server/domain/repair/health/report";
import { templateNames } from "@/server/domain/repair/health/templates";

const message = alertTexts.message.trim().min(1, "say why");

/** The host's health after the write. */
const written = record({ level: z.enum(healthLevels) });

export const health = {
  get: read({
    title: "a host's health: alerts, their sources and effects, and every change",
    right: "host.read",
    /** `before`: id of a change; only older ones are returned. */
    input: z.strictObject({
      hostId,
      before: z
        .string()
        .regex(/^\d{1,18}$/, "must be the id of a change")
        .optional(),
    }),
    output: hostHealth,
  }),
  templates: read({
    title: "the report templates, and what each does",
    right: "host.read",
    input: nothing,
    output: list(healthTemplate),
  }),
  apply: act({
    title: "applies a template to a host: a report with its source and classifications",
    right: "host.maintenance",
    action: "host.applyHealth",
    input: z.strictObject({
      hostId,
      template: z.enum(templateNames),
      message,
      /** What the host's tenant sees. */
      tenantMessage: alertTexts.tenantMessage.trim().min(1).optional(),
      /** Hides the other reports where health is shown. */
      replace: z.boolean().default(false),
    }),
    output: written,
  }),
  add: act({
    title: "adds a report of a source to a host, replacing its last one",
    right: "host.maintenance",
    action: "host.addHealth",
    input: z.strictObject({
      hostId,
      source: sourceName,
      mode: z.enum(reportModes).default("merge"),
      report: reportInput,
      reason,
    }),
    output: written,
  }),
  remove: act({
    title: "removes the report of a source from a host",
    right: "host.maintenance",
    action: "host.removeHealth",
    input: z.strictObject({ hostId, source: sourceName, mode: z.enum(reportModes).default("merge"), reason }),
    output: written,
  }),
  readNow: act({
    title: "has a host's health read from its BMC at once",
    right: "host.maintenance",
    action: "host.readHealth",
    input: z.strictObject({ hostId }),
    /** `waits`: it is read once the host rests: now something of Reclaim's runs on it, or a repair system has it. */
    output: record({ waits: z.boolean() }),
  }),
  sources: read({
    title: "the sources that may report health over HTTP",
    right: "site.read",
    input: nothing,
    output: list(healthSource),
  }),
  addSource: act({
    title: "creates a source with its own token, which is returned only once",
    right: "site.apply",
    action: "healthSource.add",
    input: z.strictObject({
      name: sourceName,
      /** Name of the site whose hosts it may report on; null for every site. */
      site: z.string().trim().min(1).max(128).nullable(),
      /** How often it reports on each host; null if it promises nothing. */
      heartbeatSeconds: heartbeatSeconds.nullable().default(null),
    }),
    output: record({ id: z.string(), name: z.string(), token: z.string() }),
  }),
  replaceToken: act({
    title: "replaces the token of a source; the new one is returned only once and the old one stops working",
    right: "site.apply",
    action: "healthSource.replaceToken",
    input: z.strictObject({ name: sourceName }),
    output: record({ name: z.string(), token: z.string() }),
  }),
  removeSource: act({
    title: "revokes the token of a source; its reports stay until removed",
    right: "site.apply",
    action: "healthSource.remove",
    input: z.strictObject({ name: sourceName }),
    output: record({ name: z.string() }),
  }),
};
