// A runbook as Ironic's clients write and read it (docs/api-ironic.md#traits-and-runbooks).
import { z } from "zod";
import { formatIssue } from "@/server/domain/schema-text";
import type { RunbookLine } from "@/server/contract/cleaning/cleaning-answers";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { flagOf, schemaFault } from "@/server/surfaces/machine/ironic/wire/schema";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

/** The versions that introduced runbooks, and their traits and descriptions. */
export const runbooksSince: Microversion = 92;
export const traitsSince: Microversion = 112;

const order = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const step = z.strictObject({
  interface: z.string().min(1),
  step: z.string().min(1),
  args: z.record(z.string(), z.json()).default({}),
  order,
});

const document = z.strictObject({
  name: z.string().min(1).max(255),
  description: z.string().nullable().default(null),
  steps: z.array(step).min(1),
  disable_ramdisk: flagOf.default(false),
  extra: z.record(z.string(), z.json()).default({}),
  public: flagOf.default(false),
  owner: z.string().nullable().default(null),
});

export const patchableRunbook: ReadonlySet<string> = new Set(document.keyof().options);

export interface RunbookInput {
  readonly name: string;
  readonly description: string;
  readonly steps: readonly {
    readonly interface: string;
    readonly step: string;
    readonly args: Record<string, z.core.util.JSONType>;
  }[];
}

export const demandRunbookField = (name: string, version: Microversion): void => {
  if (name === "description" && version < traitsSince)
    throw fault(
      406,
      `Request not acceptable. The minimal required API version should be 1.${traitsSince}, because of the field ${name}.`,
    );
};

/** Throws 400, also for fields that our runbooks do not have. */
export function readRunbookDocument(value: unknown): RunbookInput {
  const result = document.safeParse(value, { error: formatIssue });
  if (!result.success) throw schemaFault("runbook", result.error);
  const { name, description, steps, disable_ramdisk, extra, public: isPublic, owner } = result.data;
  if (disable_ramdisk)
    throw fault(400, "disable_ramdisk is not supported: whether a step needs the agent is the step's own");
  if (Object.keys(extra).length > 0 || owner !== null || isPublic)
    throw fault(
      400,
      "extra, owner and public of a runbook are not supported: a runbook is the provider's, for every node that shares a trait with it",
    );
  const orders = steps.map((row) => row.order);
  if (new Set(orders).size !== orders.length)
    throw fault(400, "Schema error for steps: two steps have the same order");
  return {
    name,
    description: description ?? "",
    steps: [...steps].sort((a, b) => a.order - b.order).map(({ order: _, ...row }) => row),
  };
}

const stepsOf = (line: RunbookLine) =>
  line.steps.map((row, index) => ({
    interface: row.interface,
    step: row.step,
    args: row.args,
    order: index + 1,
  }));

/** The document that a patch is applied to. */
export const runbookDocument = (line: RunbookLine): Readonly<Record<string, unknown>> => ({
  name: line.name,
  description: line.description,
  steps: stepsOf(line),
  disable_ramdisk: false,
  extra: {},
  public: false,
  owner: null,
});

/** The view in an answer; a list shows less. */
export function runbookView(
  line: RunbookLine,
  baseUrl: string,
  version: Microversion,
  detail: boolean,
): Readonly<Record<string, unknown>> {
  const head = { uuid: line.id, name: line.name, links: linksTo(baseUrl, `runbooks/${line.id}`) };
  if (!detail) return head;
  return {
    ...head,
    ...runbookDocument(line),
    ...(version >= traitsSince ? { traits: line.traits } : {}),
    updated_at: line.updatedAt.toISOString().replace("Z", "+00:00"),
    ...(version >= traitsSince ? {} : { description: undefined }),
  };
}
