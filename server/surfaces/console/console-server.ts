// The console's server code: made once by the server program, and called by Next's pages and routes (docs/adr/0017-one-per-process.md).
import { createHash } from "node:crypto";
import { siteJsonSchema } from "@/server/domain/sites/json-schema";
import { giveConsoleServer } from "@/server/surfaces/console/console-port";
import { liveResponse } from "@/server/surfaces/live/live-response";
import { createContext, type Context } from "@/server/surfaces/trpc/context";
import { openApiDocument } from "@/server/surfaces/trpc/openapi";
import { appRouter } from "@/server/surfaces/trpc/router";
import { createCallerFactory } from "@/server/surfaces/trpc/trpc";
import { trpcResponse } from "@/server/surfaces/trpc/trpc-response";
import { logFileResponse } from "@/server/surfaces/web/audit-log/log-file";
import { authOptions } from "@/server/surfaces/web/auth-options";
import { certificateResponse } from "@/server/surfaces/web/certificates/certificate-file";
import { assuranceCsvResponse } from "@/server/surfaces/web/csv/assurance-csv";
import { auditCsvResponse } from "@/server/surfaces/web/csv/audit-csv";
import { breakFixCsvResponse } from "@/server/surfaces/web/csv/break-fix-csv";
import { bulkCsvResponse } from "@/server/surfaces/web/csv/bulk-csv";
import { certificatesCsvResponse } from "@/server/surfaces/web/csv/certificates-csv";
import { hostsCsvResponse } from "@/server/surfaces/web/csv/hosts-csv";
import { proofCsvResponse } from "@/server/surfaces/web/csv/proof-csv";
import { repairCsvResponse } from "@/server/surfaces/web/csv/repair-csv";
import { demoDeskResponse } from "@/server/surfaces/web/demo-desk";
import { demoPeople } from "@/server/surfaces/web/demo-people";
import { downloadResponse } from "@/server/surfaces/web/evidence/download";
import { uploadResponse } from "@/server/surfaces/web/evidence/upload";
import { securityEventsCsvResponse } from "@/server/surfaces/web/csv/security-events-csv";
import { checkResponse } from "@/server/surfaces/web/proof/check-file";
import { packResponse } from "@/server/surfaces/web/proof/pack-file";
import { readDoc } from "@/server/usecases/help/read-doc";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const createCaller = createCallerFactory(appRouter);

/** Serves a document that is made once and says nothing about the site: it needs no sign-in, and caches may keep it. */
function publicDocument(make: () => unknown): (request: Request) => Response {
  let document: { readonly text: string; readonly etag: string } | undefined;
  return (request) => {
    if (document === undefined) {
      const text = JSON.stringify(make());
      document = { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
    }
    const { text, etag } = document;
    const headers = { "content-type": "application/json", "cache-control": "public, max-age=300", etag };
    return request.headers.get("if-none-match") === etag
      ? new Response(null, { status: 304, headers })
      : new Response(text, { headers });
  };
}

/** One function per route below app/api. */
function responsesOf(backend: WebBackend) {
  return {
    assuranceCsv: (request: Request) => assuranceCsvResponse(backend, request),
    auditCsv: (request: Request) => auditCsvResponse(backend, request),
    breakFixCsv: (request: Request) => breakFixCsvResponse(backend, request),
    bulkCsv: (request: Request) => bulkCsvResponse(backend, request),
    certificate: (request: Request, id: string) => certificateResponse(backend, request, id),
    certificatesCsv: (request: Request) => certificatesCsvResponse(backend, request),
    demoDesk: (request: Request) => demoDeskResponse(backend, request),
    evidence: (request: Request, sha256: string) => downloadResponse(backend, request, sha256),
    evidenceUpload: (request: Request) => uploadResponse(backend, request),
    hostsCsv: (request: Request) => hostsCsvResponse(backend, request),
    live: (request: Request) => liveResponse(backend, request),
    logFile: (request: Request, path: readonly string[]) => logFileResponse(backend, request, path),
    openApi: publicDocument(openApiDocument),
    securityEventsCsv: (request: Request) => securityEventsCsvResponse(backend, request),
    proofCheck: (request: Request) => checkResponse(backend, request),
    proofCsv: (request: Request) => proofCsvResponse(backend, request),
    proofPack: (request: Request) => packResponse(backend, request),
    repairCsv: (request: Request) => repairCsvResponse(backend, request),
    siteSchema: publicDocument(siteJsonSchema),
    trpc: (request: Request) => trpcResponse(backend, request),
  };
}

/** Everything that the console's pages and routes call. */
export function createConsoleServer(backend: WebBackend) {
  return {
    router: appRouter,
    contextOf: (headers: Headers) => createContext(backend, headers),
    /** The procedures without HTTP; null if nobody is signed in. Problems are thrown as TRPCError, with the problem as its cause. */
    callerOf: (context: Context) => (context.actor === null ? null : createCaller(context)),
    authOptions: (provider: Parameters<typeof authOptions>[1], setCookie: (header: string) => void) =>
      authOptions(backend, provider, setCookie),
    readDoc,
    /** Null: the sign-in page says nothing of a demo. */
    demoPeople: (headers: Headers) => demoPeople(backend, headers),
    responses: responsesOf(backend),
  };
}

export type ConsoleServer = ReturnType<typeof createConsoleServer>;

/** Makes it available to Next's bundles. Throws if this process already has one. */
export const openConsoleServer = (backend: WebBackend): void =>
  giveConsoleServer(createConsoleServer(backend));
