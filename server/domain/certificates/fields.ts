// What the fields of a statement may hold.
import { z } from "zod";

/** Free text; longer is refused. */
export const text = z.string().max(20_000);
/** Null: nobody recorded it. */
export const maybe = text.nullable();
/** A time in UTC; null: that is not known. */
export const moment = z.iso.datetime().nullable();
/** SHA-256, as lower-case hex. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);
