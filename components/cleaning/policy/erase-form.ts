// The form values of an erase policy: one text of techniques per medium.
import { z } from "zod";
import { mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import type { Media } from "@/server/domain/hosts/inventory/inventory";
import { counts, presetOfPolicy } from "@/server/domain/cleaning/policy/presets";
import type { ErasePreset, PresetName } from "@/server/domain/cleaning/policy/presets";
import { levels, standards, techniques } from "@/server/domain/cleaning/sanitization/techniques";
import type { Level, Standard, Technique } from "@/server/domain/cleaning/sanitization/techniques";

const isTechnique = (word: string): word is Technique => techniques.some((one) => one === word);

const textOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== "");

/** Techniques in order, one per line. */
const techniqueList = z.string().transform((text, context): Technique[] => {
  const words = textOf(text);
  const unknown = words.find((word) => !isTechnique(word));
  const twice = words.find((word, index) => words.indexOf(word) !== index);
  if (unknown !== undefined) context.addIssue({ code: "custom", message: `${unknown} is not a technique` });
  if (twice !== undefined) context.addIssue({ code: "custom", message: `${twice} is in the list twice` });
  return words.filter(isTechnique);
});

const level = z.enum(levels);

export const eraseSchema = z.object({
  standard: z.enum(standards),
  minimum: z.object({ nvme: level, ssd: level, hdd: level, "raid-kit": level }),
  techniques: z.object({
    nvme: techniqueList,
    ssd: techniqueList,
    hdd: techniqueList,
    "raid-kit": techniqueList,
  }),
  fallback: z.boolean(),
});
export type EraseForm = z.input<typeof eraseSchema>;
export type EraseValues = z.output<typeof eraseSchema>;

/** The form values for a policy. Pure. */
export const formOf = (
  { standard, minimum, techniques: lists }: ErasePreset,
  fallback: boolean,
): EraseForm => ({
  standard,
  minimum: { ...minimum },
  techniques: {
    nvme: lists.nvme.join("\n"),
    ssd: lists.ssd.join("\n"),
    hdd: lists.hdd.join("\n"),
    "raid-kit": lists["raid-kit"].join("\n"),
  },
  fallback,
});

/** The preset that the form equals; null if none does, or if the form is invalid. Pure. */
export function presetOfForm(form: EraseForm): PresetName | null {
  const parsed = eraseSchema.safeParse(form);
  return parsed.success ? presetOfPolicy(parsed.data) : null;
}

/** Techniques listed for a medium that do not reach its level. Pure. */
export const notCounting = (form: EraseForm, media: Media): readonly string[] =>
  textOf(form.techniques[media]).filter(
    (word) => isTechnique(word) && !counts(word, form.standard, form.minimum[media]),
  );

export const mediaLabels = {
  nvme: "NVMe",
  ssd: "SSD",
  hdd: "HDD",
  "raid-kit": "RAID kit",
} as const satisfies Record<Media, string>;
export const standardLabels = {
  "ieee-2883": "IEEE 2883",
  "sp-800-88r1": "NIST SP 800-88 Rev. 1",
} as const satisfies Record<Standard, string>;
export const levelLabels = { none: "none", clear: "Clear", purge: "Purge" } as const satisfies Record<
  Level,
  string
>;
export { mediaKinds };
