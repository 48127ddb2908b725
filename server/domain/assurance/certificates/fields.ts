// Field types of a statement.
import { z } from "zod";

/** Free text. Longer text is rejected. */
export const text = z.string().max(20_000);
/** Null: not recorded. */
export const maybe = text.nullable();
/** A time in UTC; null: unknown. */
export const moment = z.iso.datetime().nullable();
/** SHA-256 in lower-case hex. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);
