// What forms share in what they accept.
import { z } from "zod";

/** A reason that is kept with an act. `least` characters. */
export const reasonText = (least = 1) => z.string().trim().min(least, "Enter a reason").max(500);
