// The certificate that a BMC showed while it was verified, whatever the result, or when it showed another one than it must.
import { z } from "zod";
import type { Decision } from "@/server/controller/host/decision";
import { seenCertificate } from "@/server/domain/hardware/certificate";
import type { EffectView } from "@/server/domain/hosts/record/effect";

const shown = z.object({
  value: z.object({ certificate: seenCertificate, pin: z.string().nullable() }),
});

/** From the newest of these effects that was shown a certificate; null: none was. */
export const certificateRead = (effects: readonly EffectView[]): Decision["certificate"] =>
  effects
    .flatMap(({ result }) => {
      const found = shown.safeParse(result).data?.value;
      return found === undefined ? [] : [{ seen: found.certificate, pin: found.pin }];
    })
    .at(-1) ?? null;
