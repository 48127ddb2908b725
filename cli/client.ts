// A typed client for the console's procedures; the server's problems become CommandErrors.
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import type { TRPCClient } from "@trpc/client";
import superjson from "superjson";
import { z } from "zod";
import type { AppRouter } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import type { Exit } from "@/cli/exit-codes";
import type { Ask } from "@/cli/http";

export type Client = TRPCClient<AppRouter>;

const trpcPath = "/api/trpc";

/** Queries are sent by POST: a list of steps may be too long for a URL, and URLs end up in logs. */
export function createClient(ask: Ask): Client {
  const asked: Parameters<typeof httpLink<AppRouter>>[0]["fetch"] = async (input, init) => {
    const { signal, ...rest } = init ?? {};
    const response = await ask(String(input instanceof Request ? input.url : input), {
      ...rest,
      ...(signal == null ? {} : { signal }),
    });
    if (response.headers.get("content-type")?.includes("json") === true) return response;
    await response.body?.cancel();
    throw new CommandError(
      "unreachable",
      `The response is not from a Reclaim server, or comes from a proxy: status ${response.status}, and no JSON.`,
      "Check the address; `reclaim config show` shows where it is set.",
    );
  };
  return createTRPCClient<AppRouter>({
    links: [httpLink({ url: trpcPath, transformer: superjson, methodOverride: "POST", fetch: asked })],
  });
}

const stepFault = z.object({ index: z.number(), message: z.string() });
/** A fault in a site document. */
const documentFault = z.object({
  line: z.number(),
  column: z.number(),
  path: z.string(),
  message: z.string(),
});
type Fault = z.infer<typeof stepFault> | z.infer<typeof documentFault>;

const faultLine = (fault: Fault): string =>
  "line" in fault
    ? `line ${fault.line}, column ${fault.column}${fault.path === "" ? "" : `, ${fault.path}`}: ${fault.message}`
    : `step ${fault.index + 1}: ${fault.message}`;

const problemShape = z.looseObject({
  code: z.string(),
  detail: z.string(),
  field: z.string().optional(),
  requestId: z.string().optional(),
  faults: z.array(z.union([stepFault, documentFault])).optional(),
});
const problemData = z.looseObject({ problem: problemShape });

/** A newer server may send codes that are missing here. */
const ends: Readonly<Record<string, { readonly exit: Exit; readonly advice: string | null }>> = {
  invalid: { exit: "usage", advice: null },
  unauthenticated: {
    exit: "forbidden",
    advice: "The token is missing, wrong or has expired. Set a new one with `reclaim login`.",
  },
  forbidden: { exit: "forbidden", advice: "`reclaim whoami` shows whose token it is, and the role." },
  notFound: { exit: "notFound", advice: null },
  notAllowedNow: { exit: "notNow", advice: null },
  awaitsApproval: {
    exit: "awaitsApproval",
    advice: "`reclaim approvals list --kind policyChange` shows it; another provider admin approves it.",
  },
  conflict: { exit: "notNow", advice: null },
  tooMany: { exit: "failed", advice: "Wait a moment, and ask for less at once." },
  internal: { exit: "failed", advice: null },
};

function ofProblem({ code, detail, field, requestId, faults }: z.infer<typeof problemShape>): CommandError {
  if (code === "notFound" && field === "procedure")
    return new CommandError(
      "unreachable",
      "This server does not support the command: their versions differ.",
      "`reclaim --version` and `reclaim whoami` show both versions.",
    );
  const { exit, advice } = ends[code] ?? { exit: "failed", advice: null };
  const ofDocument = field === "document";
  const subject = field === "csv" ? "list" : ofDocument ? "document" : "steps";
  const lines =
    (faults ?? []).length > 1 ? (faults ?? []).map((fault) => `\n  ${faultLine(fault)}`).join("") : "";
  const words = lines === "" ? detail : `${faults?.length} things are wrong with the ${subject}:${lines}`;
  return new CommandError(
    exit,
    code === "internal" && requestId !== undefined ? `${words} (request ${requestId})` : words,
    ofDocument ? null : advice,
  );
}

export const possibleNow = (host: string): string =>
  `\`reclaim hosts show ${host}\` shows what is possible now.`;

/** An error of a command about one host. Other things have no list of what is possible. */
export function withHost(error: unknown, host: string): unknown {
  const problem = error instanceof TRPCClientError ? problemData.safeParse(error.data).data?.problem : null;
  if (problem?.code !== "notAllowedNow") return error;
  const { exit, message } = ofProblem(problem);
  return new CommandError(exit, message, possibleNow(host));
}

/** Converts any error to one for the user of the command; null for a bug. */
export function toCommandError(error: unknown): CommandError | null {
  if (error instanceof CommandError) return error;
  if (!(error instanceof TRPCClientError)) return null;
  const problem = problemData.safeParse(error.data);
  if (problem.success) return ofProblem(problem.data.problem);
  if (error.cause instanceof CommandError) return error.cause;
  return new CommandError(
    "unreachable",
    `The server's response is not valid: ${error.message}`,
    "Check that it is a Reclaim server, and that its version matches this command's.",
  );
}
