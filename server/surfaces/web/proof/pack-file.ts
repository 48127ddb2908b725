// `GET /api/proof/pack`: the certificates of a selection as one archive, streamed (docs/assurance/proof.md#pack).
import { z } from "zod";
import { packMediaType } from "@/server/domain/assurance/proof/pack/layout";
import { perProcess } from "@/server/process/process-state";
import { makePack } from "@/server/usecases/assurance/proof/pack/make-pack";
import { readAsker } from "@/server/surfaces/web/asker";
import { fileHeaders, streamOf } from "@/server/surfaces/web/evidence/download";
import { PackLimit } from "@/server/surfaces/web/proof/pack-limit";
import { proofQuery, yes } from "@/server/surfaces/web/proof/proof-query";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const packs = perProcess("packs", () => new PackLimit());

const packQuery = proofQuery.extend({ pdf: yes.default(false) });

/** Frees its place when the stream has ended, was cancelled or broke. */
async function* withEnd(pieces: AsyncIterable<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } finally {
    end();
  }
}

export async function packResponse(backend: WebBackend, request: Request): Promise<Response> {
  const facts = requestFacts(request.headers);
  const refuse = (code: "unauthenticated" | "invalid" | "tooMany", detail: string) =>
    problemResponse({ code, detail }, facts.requestId);
  const actor = await readAsker(backend, request.headers);
  if (actor === null) return refuse("unauthenticated", "Sign in first.");
  const query = packQuery.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!query.success) return refuse("invalid", z.prettifyError(query.error));
  const end = packs().begin(actor, Date.now());
  if (end === null) return refuse("tooMany", "Too many packs are being made. Retry in a minute.");
  let begun = false;
  try {
    const pack = await makePack(backend, actor, facts, query.data);
    if (!pack.ok) return problemResponse(pack.problem, facts.requestId);
    begun = true;
    const { fileName, certificates, pieces } = pack.value;
    return new Response(streamOf(withEnd(pieces, end)), {
      headers: { ...fileHeaders(fileName, packMediaType), "x-certificates": String(certificates) },
    });
  } finally {
    if (!begun) end();
  }
}
