// Checks a file that a person has: a certificate, a receipt, a PDF of one, or a pack, with the code of `reclaim verify`. Nothing of it is kept.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CheckedFile } from "@/server/contract/assurance/proof";
import { readPublicKeys } from "@/server/db/audit-log/keys";
import { parseKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";
import { isPdf } from "@/server/domain/assurance/certificates/pdf/is-pdf";
import { verifyPdf } from "@/server/domain/assurance/certificates/pdf/verify-pdf";
import { verifyBundle } from "@/server/domain/assurance/certificates/verify";
import { certificateResult, packResult, verdictExit } from "@/server/domain/assurance/proof/check-result";
import type { CheckResult } from "@/server/domain/assurance/proof/check-result";
import { isPack } from "@/server/domain/assurance/proof/pack/layout";
import { verifyPack } from "@/server/domain/assurance/proof/pack/verify-pack";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** The largest certificate that a pack may have. */
const maxCertificateBytes = 16 * 1024 * 1024;
/** Which kind a file is stands in so many bytes. */
const beginningBytes = 512;

type Pieces = AsyncIterator<Uint8Array>;

/** Fewer bytes only if the file ends before. */
async function beginningOf(pieces: Pieces): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array();
  while (bytes.length < beginningBytes) {
    const next = await pieces.next();
    if (next.done === true) break;
    bytes = Buffer.concat([bytes, next.value]);
  }
  return bytes;
}

/** Lets others have their turn between pieces: a pack holds up to 10,000 certificates. */
async function* from(beginning: Uint8Array, rest: Pieces): AsyncGenerator<Uint8Array> {
  yield beginning;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield next.value;
    await nextTurn();
  }
}

/** Null: it is larger than any certificate. */
async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxCertificateBytes) return null;
    parts.push(piece);
  }
  return Buffer.concat(parts);
}

async function pdfResult(bytes: Uint8Array, policy: Policy): Promise<CheckResult> {
  const verified = await verifyPdf(bytes, policy, null);
  const found = certificateResult(verified);
  const [first, ...lines] = found.lines;
  const pages = `The pages match the bundle. The code on them leads to ${verified.address ?? "nowhere"}; that address is not signed.`;
  return first === undefined ? found : { ...found, lines: [first, pages, ...lines] };
}

/** Trusts the keys of this site's log. */
export async function checkFile(
  { database }: Backend,
  actor: Actor,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Outcome<CheckedFile>> {
  const scope = scopeOf(actor, "certificate.read");
  if (!scope.ok) return scope;
  const keys = (await readPublicKeys(database)).flatMap(({ key }) => parseKey(key) ?? []);
  if (keys.length === 0)
    return refused("notAllowedNow", "The audit log has no key yet. Retry in a few seconds.");
  const policy = policyOfKeys(keys);
  const rest = pieces[Symbol.asyncIterator]();
  const beginning = await beginningOf(rest);
  const all = from(beginning, rest);
  const answer = (kind: CheckedFile["kind"], { verdict, says, lines, faults }: CheckResult) =>
    done({ kind, verdict, exit: verdictExit[verdict], says, lines, faults });
  if (isPack(beginning)) return answer("pack", packResult(await verifyPack(all, policy)));
  const bytes = await whole(all);
  if (bytes === null) return refused("invalid", "A certificate has at most 16 MiB.", "file");
  return isPdf(bytes)
    ? answer("pdf", await pdfResult(bytes, policy))
    : answer(
        "certificate",
        certificateResult(await verifyBundle(Buffer.from(bytes).toString("utf8"), policy, null)),
      );
}
