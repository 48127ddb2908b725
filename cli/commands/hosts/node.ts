// `reclaim node`: the two commands of the clean-steps specification, over the Ironic API at `/v1` (docs/cli.md#the-specifications-two-commands).
import { z } from "zod";
import { list } from "@/server/contract/define";
import { command } from "@/cli/define/command";
import { arg, opt, parsed } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { exitOfStatus } from "@/cli/http";
import { cleanStepsHelp, readStepsValue } from "@/cli/commands/cleaning/clean";
import { readPriority } from "@/cli/options";
import { durationText } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";
import type { Shell } from "@/cli/shell";

const versionHeader = { "x-openstack-ironic-api-version": "latest" } as const;

const nodeStep = z.looseObject({
  interface: z.string(),
  step: z.string(),
  priority: z.number(),
  abortable: z.boolean().optional(),
  args: z
    .array(
      z.looseObject({ name: z.string(), description: z.string().nullish(), required: z.boolean().nullish() }),
    )
    .optional(),
});
type NodeStep = z.infer<typeof nodeStep>;
const nodeSteps = z.array(nodeStep);

const columns: readonly Column<NodeStep>[] = [
  { name: "priority", value: (row) => row.priority },
  { name: "interface", value: (row) => row.interface },
  { name: "step", value: (row) => row.step },
  { name: "abortable", value: (row) => row.abortable ?? false },
  {
    name: "args",
    value: (row) => (row.args ?? []).map((arg) => `${arg.name}${arg.required === true ? "" : "?"}`),
  },
];

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const fault = z.looseObject({ faultstring: z.string() });
const errorBody = z.looseObject({ error_message: z.union([z.string(), fault]) });
const versionBody = z.looseObject({ errors: z.array(z.looseObject({ detail: z.string() })).min(1) });
const signInBody = z.looseObject({ error: z.looseObject({ message: z.string() }) });

/** Ironic's errors are JSON inside a JSON string; errors of sign-in and of API versions have other shapes. */
export function ironicMessage(text: string): string | null {
  const body = parseJson(text);
  const error = errorBody.safeParse(body);
  if (error.success) {
    const { error_message: message } = error.data;
    const inner = fault.safeParse(typeof message === "string" ? parseJson(message) : message);
    return inner.success ? inner.data.faultstring : typeof message === "string" ? message : null;
  }
  const version = versionBody.safeParse(body);
  if (version.success) return version.data.errors.map(({ detail }) => detail).join("; ");
  const signIn = signInBody.safeParse(body);
  return signIn.success ? signIn.data.error.message : null;
}

async function askNode(
  { ask }: Shell,
  path: string,
  init: { readonly method: string; readonly body?: unknown },
): Promise<{ readonly response: Response; readonly text: string }> {
  const response = await ask(`/v1/nodes/${path}`, {
    method: init.method,
    headers: {
      accept: "application/json",
      ...versionHeader,
      ...(init.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new CommandError(
      exitOfStatus(response.status),
      ironicMessage(text) ?? `The server responded with status ${response.status}.`,
    );
  return { response, text };
}

const messageBody = z.looseObject({ message: z.string() });

/** 202: the node's steps are not known yet (specification; `-1`: nobody knows when they will be). */
function notYet(response: Response, text: string): CommandError {
  const body = parseJson(text);
  const message = messageBody.safeParse(body);
  const words = message.success
    ? message.data.message
    : (ironicMessage(text) ?? "The clean steps of this node are not known yet.");
  const seconds = Number(response.headers.get("retry-request-after") ?? "-1");
  return new CommandError(
    "notNow",
    words,
    Number.isFinite(seconds) && seconds >= 0
      ? `Retry in ${durationText(seconds * 1000)}.`
      : "The server does not know when: retry later.",
  );
}

const node = arg("<node>", "name or id");

export const nodeCommands = [
  command("node get-clean-steps", {
    title: "the clean steps that a node offers, highest priority first",
    shape: list(nodeStep.omit({ args: true })),
    args: { node },
    options: { minPriority: parsed("<number>", "only from this priority", readPriority) },
    run: async (shell, { node: ident, minPriority }) => {
      const { response, text } = await askNode(
        shell,
        `${encodeURIComponent(ident)}/cleaning/steps${minPriority === undefined ? "" : `?min_priority=${minPriority}`}`,
        { method: "GET" },
      );
      if (response.status === 202) throw notYet(response, text);
      const steps = nodeSteps.safeParse(parseJson(text));
      if (!steps.success)
        throw new CommandError(
          "unreachable",
          "The response contains no list of clean steps.",
          "Check that it is a Reclaim server, and that its version matches this command's.",
        );
      shell.printer.list(steps.data, columns, "No clean steps.");
    },
  }),
  command("node set-provision-state", {
    title: "requests a state of a node: manage, provide, clean, abort, deleted, …",
    args: { node, verb: arg("<verb>", "verb of the Ironic API") },
    options: { cleanSteps: opt("<steps>", `with clean, and only there: ${cleanStepsHelp}`) },
    run: async (shell, { node: ident, verb, cleanSteps }) => {
      if (verb === "clean" && cleanSteps === undefined)
        throw new CommandError("usage", "The verb clean needs --clean-steps.");
      if (verb !== "clean" && cleanSteps !== undefined)
        throw new CommandError("usage", `--clean-steps is for the verb clean, not for ${verb}.`);
      // As in the original client: the server validates the list, and answers as Ironic does.
      const steps =
        cleanSteps === undefined ? {} : { clean_steps: await readStepsValue(cleanSteps, shell.surroundings) };
      await askNode(shell, `${encodeURIComponent(ident)}/states/provision`, {
        method: "PUT",
        body: { target: verb, ...steps },
      });
      shell.printer.say(`${ident}: ${verb} accepted`);
    },
  }),
];
