// An audit event as an entry of the log's tree: exactly one byte sequence per event, in canonical JSON (RFC 8785).
import { z } from "zod";
import { canonical } from "@/server/domain/audit-log/crypto/canonical";
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";
import { maxEntryBytes } from "@/server/domain/audit-log/tiles";

/** What is known of an event when it is written. */
const body = z.object({
  id: z.guid(),
  actorKind: z.string(),
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  action: z.string(),
  targetKind: z.string().nullable(),
  targetId: z.string().nullable(),
  tenantId: z.string().nullable(),
  requestId: z.string().nullable(),
  address: z.string().nullable(),
  outcome: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export type EventBody = z.infer<typeof body>;

/** Stands for facts that would make an entry longer than allowed. */
const digested = z.strictObject({ sha256: z.string(), bytes: z.int() });

/** An entry as JSON. */
export const entryForm = z.strictObject({
  ...body.shape,
  /** By the database's clock, in UTC, to the millisecond. */
  at: z.iso.datetime({ precision: 3 }),
  /** Hash of the body when the event was written; null: written by a release without it. */
  bodySha256: z.string().nullable(),
  beforeDigest: digested.optional(),
  afterDigest: digested.optional(),
});
export type LoggedEntry = z.infer<typeof entryForm>;

const hashOf = (text: string): string => Buffer.from(sha256(Buffer.from(text, "utf8"))).toString("hex");

/** The hash written together with the event. Members that are not part of the body are ignored. */
export const bodyHash = (event: EventBody): string =>
  hashOf(
    canonical({
      action: event.action,
      actorId: event.actorId,
      actorKind: event.actorKind,
      actorName: event.actorName,
      address: event.address,
      after: event.after,
      before: event.before,
      id: event.id,
      outcome: event.outcome,
      requestId: event.requestId,
      targetId: event.targetId,
      targetKind: event.targetKind,
      tenantId: event.tenantId,
    } satisfies Record<keyof EventBody, unknown>),
  );

export interface LoggedEvent extends EventBody {
  readonly at: Date;
  readonly bodySha256: string | null;
}

/** Members in alphabetical order, so that `canonical` need not sort them. */
const wholeOf = (event: LoggedEvent) =>
  ({
    action: event.action,
    actorId: event.actorId,
    actorKind: event.actorKind,
    actorName: event.actorName,
    address: event.address,
    after: event.after,
    at: event.at.toISOString(),
    before: event.before,
    bodySha256: event.bodySha256,
    id: event.id,
    outcome: event.outcome,
    requestId: event.requestId,
    targetId: event.targetId,
    targetKind: event.targetKind,
    tenantId: event.tenantId,
  }) satisfies Record<keyof LoggedEvent, unknown>;

/** The entry of an event. If it would be too long, digests replace its facts. */
export function entryOf(event: LoggedEvent): Uint8Array {
  const bytes = Buffer.from(canonical(wholeOf(event)), "utf8");
  if (bytes.length <= maxEntryBytes) return bytes;
  return entryOfTexts(event, { before: canonical(event.before), after: canonical(event.after) });
}

/** The entry of an event without its facts: the digests of their texts replace them. */
export function entryOfTexts(
  event: LoggedEvent,
  { before, after }: { readonly before: string; readonly after: string },
): Uint8Array {
  const digest = (text: string) => ({ sha256: hashOf(text), bytes: Buffer.byteLength(text) });
  return Buffer.from(
    canonical({
      ...wholeOf(event),
      before: null,
      after: null,
      beforeDigest: digest(before),
      afterDigest: digest(after),
    }),
    "utf8",
  );
}

/** The value of a canonical JSON text; null: the text is not canonical JSON. */
function parseCanonical(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return canonical(value) === text ? value : null;
  } catch {
    return null; // not JSON, or a value without a canonical form
  }
}

/** Null: the bytes are not an event's entry in canonical form. */
export function parseEntry(bytes: Uint8Array): LoggedEntry | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  const parsed = entryForm.safeParse(parseCanonical(text));
  return parsed.success ? parsed.data : null;
}

/** Whether the entry has the body that was originally written; null: unknown. */
export function isAsWritten(entry: LoggedEntry): boolean | null {
  const { bodySha256, beforeDigest, afterDigest } = entry;
  if (bodySha256 === null || beforeDigest !== undefined || afterDigest !== undefined) return null;
  return bodyHash(entry) === bodySha256;
}
