// Schemas shared by forms.
import { z } from "zod";

/** A reason that is kept with an act, of at least `least` characters. */
export const reasonText = (least = 1) => z.string().trim().min(least, "Enter a reason").max(500);

/** A text parsed by `read`, which returns undefined for anything invalid. */
export const typedValue = <Value>(read: (text: string) => Value | undefined, complaint: string) =>
  z.string().transform((text, context): Value => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: complaint });
    return z.NEVER;
  });

/** A date and time field, in the browser's zone; empty gives null. */
export const typedMoment = typedValue((text) => {
  if (text === "") return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}, "A date and a time");
