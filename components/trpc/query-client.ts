// The query cache, configured the same on server and browser so that hydrated data is not refetched at once.
import { QueryClient } from "@tanstack/react-query";
import superjson from "superjson";

/** Live changes refresh what is shown; otherwise data counts as fresh for this long. */
const staleMs = 30_000;

/** A new cache: one per request on the server, one per page in the browser. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: staleMs, refetchOnWindowFocus: false, retry: shouldRetry },
      // Without a network, a mutation fails at once: if it were queued, it would run when nobody expects it any more.
      mutations: { networkMode: "always" },
      // Only completed queries: the layout renders in parallel with the page. A page query passed on while pending would render as loading in one place
      // and as loaded in the other.
      dehydrate: { serializeData: (data: unknown) => superjson.serialize(data) },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
}

/** Retries only if that may help: not after the server understood and refused. */
function shouldRetry(failures: number, error: Error): boolean {
  const status = problemOf(error).status;
  return failures < 2 && (status === undefined || status >= 500) && !isRefusedInProcess(error);
}

/** Codes of transient errors, as in `trpcCodes` of server/surfaces/trpc/trpc.ts. */
const mayPass: readonly string[] = ["INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE"];

/** A page rendered on the server calls procedures in its own process; their errors have a code but no status. */
function isRefusedInProcess(error: Error): boolean {
  const code = member(error, "code");
  return typeof code === "string" && !mayPass.includes(code);
}

export interface Problem {
  words: string;
  requestId: string | undefined;
  status: number | undefined;
  /** From the server's problem table. */
  code: string | undefined;
  /** The input field that it concerns. */
  field: string | undefined;
  /** Every fault in a site document. */
  faults: readonly { readonly path: string; readonly message: string }[];
}

/** An error with a message of our own, to be shown verbatim. */
export class ShownError extends Error {
  readonly data: { readonly problem: { readonly detail: string } };

  constructor(detail: string) {
    super(detail);
    this.data = { problem: { detail } };
  }
}

/** Said where no answer came: whether a change was made is not known. */
export const unanswered =
  "The server did not answer. Try again; after a change, look first whether it was made.";

/** What to tell the user about a failed call: the server's own message if there is one, and the request id. */
export function problemOf(error: unknown): Problem {
  const data = member(error, "data");
  const problem = member(data, "problem");
  const status = member(data, "httpStatus");
  const field = member(problem, "field");
  const code = member(problem, "code");
  const requestId = member(problem, "requestId") ?? member(data, "requestId");
  const detail = member(problem, "detail") ?? (status === undefined ? undefined : member(error, "message"));
  return {
    words: typeof detail === "string" && detail !== "" ? detail : unanswered,
    requestId: typeof requestId === "string" ? requestId : undefined,
    status: typeof status === "number" ? status : undefined,
    code: typeof code === "string" ? code : undefined,
    field: typeof field === "string" ? field : undefined,
    faults: faultsOf(member(problem, "faults")),
  };
}

const faultsOf = (faults: unknown): Problem["faults"] =>
  Array.isArray(faults)
    ? faults.flatMap((fault: unknown) => {
        const [path, message] = [member(fault, "path"), member(fault, "message")];
        return typeof path === "string" && typeof message === "string" ? [{ path, message }] : [];
      })
    : [];

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
