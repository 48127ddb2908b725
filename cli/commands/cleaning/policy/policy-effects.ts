// `reclaim policy preview` and `reclaim policy erase`: the effect of another policy, and a site's erase policy.
import { parse } from "yaml";
import { contract } from "@/server/contract/contract";
import { eraseSettings } from "@/server/contract/cleaning/policy";
import type { EraseSettings, PolicyQuestion } from "@/server/contract/cleaning/policy";
import { effectLabels } from "@/server/domain/cleaning/policy/effect";
import { requiredGates } from "@/server/domain/cleaning/policy/gates-effect";
import type { RequiredGate } from "@/server/domain/cleaning/policy/gates-effect";
import { basisText } from "@/server/domain/cleaning/policy/basis";
import { presetNames, presets } from "@/server/domain/cleaning/policy/presets";
import type { PresetName } from "@/server/domain/cleaning/policy/presets";
import { parseSiteDocument } from "@/server/domain/sites/parse-document";
import type { PolicyEffects } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { findSite } from "@/cli/find";
import { limitOptions, limitsWith, namesLimit } from "@/cli/commands/cleaning/policy/limits";
import { command } from "@/cli/define/command";
import { choice, opt, parsed, siteOr } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { readNames, readOnOff, readPriority } from "@/cli/options";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { confirm, readText } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { formatCounted } from "@/server/domain/numbers";
import { formatDocument, faultLines } from "@/server/domain/schema-text";

type Model = PolicyEffects["models"][number];
type Otherwise = PolicyEffects["otherwise"][number];
type Effect = PolicyEffects["effects"][number];

const modelColumns: readonly Column<Model>[] = [
  { name: "model", value: (row) => row.model },
  { name: "media", value: (row) => row.media },
  { name: "drives", value: (row) => row.drives },
  { name: "cannot", value: (row) => row.cannot },
  { name: "now", value: (row) => row.cannotNow },
  { name: "unknown", value: (row) => row.unknown },
  { name: "judgedBy", value: (row) => basisText(row.basis) },
  { name: "reason", value: (row) => row.reason },
];
const otherwiseColumns: readonly Column<Otherwise>[] = [
  { name: "reclamation", value: (row) => row.number },
  { name: "host", value: (row) => row.host },
  { name: "started", value: (row) => row.startedAt },
  { name: "ended", value: (row) => row.outcome, text: (row) => row.outcome ?? "stopped" },
  { name: "would", value: (row) => row.would },
  { name: "reason", value: (row) => row.reason },
];
const effectColumns: readonly Column<Effect>[] = [
  { name: "setting", value: (row) => row.setting },
  { name: "effect", value: (row) => row.kind, text: (row) => effectLabels[row.kind] },
  { name: "why", value: (row) => row.words },
];

/** "3 of 40 would have stopped, …". */
const formatReclamation = ({ reclamations: r }: PolicyEffects): string =>
  `${r.total} ended or stopped: ${r.stop} would have stopped, ${r.pass} would have passed their erase, ${r.same} as recorded, ${r.unknown} unknown, ${r.withoutErase} without a recorded erase`;

function printEffects(printer: Printer, told: PolicyEffects): void {
  const notable = told.models.filter(({ cannot, unknown }) => cannot + unknown > 0);
  const parts: Part[] = [
    {
      facts: [
        ["site", told.site],
        ["compared with", `policy version ${told.policyVersion}`],
        ["reclamations since", printer.timeAndAge(told.since)],
        [
          "reclamations",
          told.erase ? formatReclamation(told) : `${told.reclamations.total} ended or stopped`,
        ],
        ...(told.truncated ? [["records", "too many; the oldest were left out"] as const] : []),
        ...told.notes.map((note) => ["not recorded", note] as const),
      ],
    },
    ...(notable.length === 0
      ? []
      : [
          {
            title: "Drives that cannot meet it, or are unknown",
            table: printer.table(notable, modelColumns),
          },
        ]),
    ...(told.otherwise.length === 0
      ? []
      : [
          {
            title: "Reclamations with a different outcome",
            table: printer.table(told.otherwise, otherwiseColumns),
          },
        ]),
    ...(told.effects.length === 0
      ? []
      : [{ title: "Other settings", table: printer.table(told.effects, effectColumns) }]),
  ];
  printer.show(told, parts);
}

const eraseOptions = {
  preset: choice(
    "<name>",
    presetNames.map((name) => `${name}: ${presets[name].label}`).join("; "),
    presetNames,
  ),
  file: {
    ...opt("<file>", "standard, minimum, techniques and fallback as YAML or JSON, or - for stdin"),
    short: "f",
  },
};

/** Undefined if neither option is given. */
async function readErase(
  { preset, file }: Given<typeof eraseOptions>,
  surroundings: Surroundings,
): Promise<EraseSettings | undefined> {
  if (preset !== undefined && file !== undefined)
    throw new CommandError("usage", "Name either --preset or -f.");
  const given: unknown =
    preset !== undefined
      ? { ...presetValues(preset), fallback: true }
      : file !== undefined
        ? parse(await readText("document", file, surroundings))
        : undefined;
  if (given === undefined) return undefined;
  const parsed = eraseSettings.safeParse(given, { error: formatDocument });
  if (parsed.success) return parsed.data;
  throw new CommandError("usage", "That is not an erase policy:", faultLines(parsed.error));
}

function presetValues(name: PresetName) {
  const { standard, minimum, techniques } = presets[name];
  return { standard, minimum, techniques };
}

function readGate(text: string, before: ReadonlyMap<RequiredGate, boolean> = new Map()) {
  const [name = "", word = ""] = text.split("=");
  const gate = requiredGates.find((one) => one === name);
  if (gate === undefined)
    throw new CommandError("usage", `A gate is one of ${requiredGates.join(", ")}, then =on or =off.`);
  return new Map([...before, [gate, readOnOff(word)]]);
}

function readSetting(text: string, before: ReadonlyMap<string, number> = new Map()) {
  const [, step = "", number = ""] = /^([a-z]+\.[\w-]+)=(.+)$/.exec(text) ?? [];
  if (step === "") throw new CommandError("usage", "A priority is interface.step=number.");
  return new Map([...before, [step, readPriority(number)]]);
}

/** The policy and priorities of a site document, and its site; undefined if no document is given. */
async function readDocument(file: string | undefined, surroundings: Surroundings) {
  if (file === undefined) return undefined;
  const parsed = parseSiteDocument(await readText("document", file, surroundings));
  if (parsed.ok) return parsed.document;
  throw new CommandError(
    "usage",
    "The site document has errors.",
    "`reclaim site apply --dry-run` names each with its line.",
  );
}

const previewOptions = {
  site: opt("<site>", "which one, if there are several"),
  document: opt("<file>", "policy and priorities of a site document, or - for stdin"),
  ...eraseOptions,
  automatedClean: parsed("<on|off>", "hosts are cleaned automatically", readOnOff),
  tests: parsed("<names>", "the complete list of validation tests", readNames),
  require: parsed("<gate=on|off>", "a gate that the site may do without; repeatable", readGate),
  priority: parsed("<step=number>", "priority of a clean step; 0 disables it; repeatable", readSetting),
  ...limitOptions,
};

/** The preview request for a site; single options override the document. */
async function questionOf(
  client: Client,
  asked: Given<typeof previewOptions>,
  surroundings: Surroundings,
): Promise<PolicyQuestion> {
  const document = await readDocument(asked.document, surroundings);
  const { id: siteId } = await findSite(client, asked.site ?? document?.site);
  const erase = await readErase(asked, surroundings);
  const { automatedClean, tests, priority, require } = asked;
  const admission = async () => {
    const now = document?.policy ?? (await client.cleaning.sitePolicy.query({ siteId })).policy;
    return { admission: limitsWith(now.admission, asked) };
  };
  return {
    siteId,
    ...(document === undefined ? {} : { policy: document.policy, priorities: document.priorities }),
    ...(erase === undefined ? {} : { erase }),
    ...(automatedClean === undefined ? {} : { automatedClean }),
    ...(tests === undefined ? {} : { validationTests: [...tests] }),
    ...(namesLimit(asked) ? await admission() : {}),
    ...(require === undefined ? {} : { requires: Object.fromEntries(require) }),
    ...(priority === undefined
      ? {}
      : { priorities: { ...document?.priorities, ...Object.fromEntries(priority) } }),
  };
}

export const preview = command("policy preview", {
  title: contract.policy.preview.title,
  uses: ["policy.preview"],
  shape: contract.policy.preview.output,
  options: previewOptions,
  examples: ["policy preview --site dfw --preset purge", "policy preview --document site.yaml"],
  run: async ({ client, printer, surroundings }, asked) =>
    printEffects(printer, await client.policy.preview.query(await questionOf(client, asked, surroundings))),
});

export const erase = command("policy erase", {
  title: contract.policy.setErase.title,
  uses: ["policy.preview", "policy.setErase"],
  options: {
    site: siteOr(),
    ...eraseOptions,
    reason: opt("<text>", "why, for example the ticket; kept in the audit log"),
  },
  run: async (shell, { site, reason, ...asked }) => {
    const { client, printer, settings } = shell;
    const chosen = await readErase(asked, shell.surroundings);
    if (chosen === undefined) throw new CommandError("usage", "Name --preset or -f.");
    const told = await client.policy.preview.query({ siteId: site.id, erase: chosen });
    if (!settings.yes) {
      const cannot = told.models.reduce((sum, row) => sum + row.cannot, 0);
      await confirm(
        shell,
        [
          `${formatCounted(cannot, "known drive")} cannot meet it. \`reclaim policy preview\` names their models.`,
          `Reclamations of the last 90 days: ${formatReclamation(told)}.`,
        ],
        `Set the erase policy of site ${site.name}?`,
      );
    }
    const saved = await client.policy.setErase.mutate({
      siteId: site.id,
      erase: chosen,
      policyVersion: told.policyVersion,
      reason: reason ?? "reclaim policy erase",
    });
    printer.say(`Site ${site.name}: policy version ${saved.policyVersion}.`);
  },
});
