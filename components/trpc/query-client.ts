// The cache of what the server said; the same settings on both sides, so that hydrated data is not read again at once.
import { QueryClient } from "@tanstack/react-query";
import superjson from "superjson";

/** Live changes refresh what is shown; until then data counts as fresh. */
const staleMs = 30_000;

/** A new cache: one per request on the server, one per page in the browser. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: staleMs, refetchOnWindowFocus: false, retry: shouldRetry },
      // Without a network an act fails at once and says so: kept until there is one, it would be done when nobody expects it any more.
      mutations: { networkMode: "always" },
      // Only what has been read: the layout runs beside the page, and a query of the page that it handed on unfinished would be drawn as loading here and as loaded there.
      dehydrate: { serializeData: (data: unknown) => superjson.serialize(data) },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
}

/** Another try only where it may help: not when the server understood and refused. */
function shouldRetry(failures: number, error: Error): boolean {
  const status = problemOf(error).status;
  return failures < 2 && (status === undefined || status >= 500) && !isRefusedInProcess(error);
}

/** Codes of errors that may pass, as `trpcCodes` of server/surfaces/trpc/trpc.ts has them. */
const mayPass: readonly string[] = ["INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE"];

/** A page that is rendered on the server asks procedures in its own process, whose errors have a code and no status. */
function isRefusedInProcess(error: Error): boolean {
  const code = member(error, "code");
  return typeof code === "string" && !mayPass.includes(code);
}

export interface Problem {
  words: string;
  requestId: string | undefined;
  status: number | undefined;
  /** Of the server's table of problems. */
  code: string | undefined;
  /** The input that it is about. */
  field: string | undefined;
  /** Each thing that is wrong with a site document. */
  faults: readonly { readonly path: string; readonly message: string }[];
}

/** A failure in words of our own, which people are to read as they are. */
export class ToldError extends Error {
  readonly data: { readonly problem: { readonly detail: string } };

  constructor(detail: string) {
    super(detail);
    this.data = { problem: { detail } };
  }
}

/** What to tell a person about a failed call: the server's own words where it gave some, and the request's id. */
export function problemOf(error: unknown): Problem {
  const data = member(error, "data");
  const problem = member(data, "problem");
  const status = member(data, "httpStatus");
  const field = member(problem, "field");
  const code = member(problem, "code");
  const requestId = member(problem, "requestId") ?? member(data, "requestId");
  const detail = member(problem, "detail") ?? (status === undefined ? undefined : member(error, "message"));
  return {
    words:
      typeof detail === "string" && detail !== ""
        ? detail
        : "The server did not answer. The request may or may not have gone through: check before you retry.",
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
