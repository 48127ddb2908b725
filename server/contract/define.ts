// Building blocks of the contract: reads, acts, and the two shapes that answers are made of.
import { z } from "zod";
import type { Right } from "@/server/domain/access/access";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { tones } from "@/server/domain/lifecycle/state-rows/state-row";
import { allStates, unknownState } from "@/server/domain/lifecycle/states";

interface Entry<Input extends z.ZodType, Output extends z.ZodType> {
  /** What it does, in one line for people: shown in the OpenAPI document and in the help of the command line. */
  readonly title: string;
  readonly input: Input;
  readonly output: Output;
}

/** Changes nothing. */
export interface Read<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends Entry<Input, Output> {
  readonly kind: "read";
  /** Null: everybody who is signed in may call it, and reads only their own. */
  readonly right: Right | null;
}

/** Changes something, and is recorded in the audit log. */
export interface Act<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> extends Entry<
  Input,
  Output
> {
  readonly kind: "act";
  readonly right: Right;
  readonly action: AuditAction;
}

/** Performs one of several acts, chosen by a member of its input; each has its own right and its own action in the audit log. */
export interface Dispatch<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends Entry<Input, Output> {
  readonly kind: "dispatch";
}

export type Operation = Read | Act | Dispatch;

/** Operations by noun. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

type Given<Made extends Operation> = Omit<Made, "kind">;

export const read = <Input extends z.ZodType, Output extends z.ZodType>(
  entry: Given<Read<Input, Output>>,
): Read<Input, Output> => ({ kind: "read", ...entry });

export const act = <Input extends z.ZodType, Output extends z.ZodType>(
  entry: Given<Act<Input, Output>>,
): Act<Input, Output> => ({ kind: "act", ...entry });

export const dispatch = <Input extends z.ZodType, Output extends z.ZodType>(
  entry: Given<Dispatch<Input, Output>>,
): Dispatch<Input, Output> => ({ kind: "dispatch", ...entry });

/** An object in an answer; has no members besides these. */
export const record = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).readonly();

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/**
 * A member that the last release did not have: a server that is not upgraded yet leaves it out, which its readers must not take for "none"
 * (docs/adr/0024-rolling-upgrade.md).
 */
export const added = <Member extends z.ZodType>(member: Member) => member.optional();

/** A state of this release, or text if it is another release's. */
export const state = z.enum(allStates()).or(unknownState);
export const tone = z.enum(tones);

/** Takes no input. */
export const nothing = z.void();

export const hostId = z.guid("must be the id of a host");
/** Kept in the audit log and in evidence. */
export const reason = z.string().trim().min(1, "say why").max(500, "at most 500 characters");

export const siteId = z.guid("must be the id of a site");

/** Digest of a file or a record. */
export const sha256Digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be a SHA-256: 64 hexadecimal digits in lower case");

/** A point in time: a Date, or ISO 8601 from clients that know only JSON. */
export const moment = z.union([
  z.date(),
  z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
]);

/** Opaque: returned with one page, passed to get the next. */
export const cursor = z.string().max(1000).nullable().default(null);

/** Input of a paginated list. Infinite queries of TanStack Query send `direction`; pages only go forward. */
export const paging = (most: number, usual: number) => ({
  cursor,
  limit: z.int().min(1).max(most).default(usual),
  direction: z.enum(["forward", "backward"]).optional(),
});
