// Erase policies based on standards, as starting points for a site's own (docs/design/sanitization.md#techniques-and-levels).
import { mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import type { Media } from "@/server/domain/hosts/inventory/inventory";
import { countsWithoutException, levelOf, reaches } from "@/server/domain/cleaning/sanitization/techniques";
import type { Level, Standard, Technique } from "@/server/domain/cleaning/sanitization/techniques";

/** The part of a policy that a preset sets. The rest (samples, markers, excluded media) stays. */
export interface ErasePreset {
  readonly standard: Standard;
  readonly minimum: Readonly<Record<Media, Level>>;
  readonly techniques: Readonly<Record<Media, readonly Technique[]>>;
}

/** Techniques that agents can use for each medium: first by the level they reach, then by speed. */
const inOrder: Readonly<Record<Media, readonly Technique[]>> = {
  nvme: ["nvme-sanitize-crypto", "nvme-sanitize-block", "nvme-sanitize-overwrite", "nvme-format-user-data"],
  ssd: [
    "ata-sanitize-crypto",
    "ata-sanitize-block",
    "ata-secure-erase-enhanced",
    "scsi-sanitize-crypto",
    "scsi-sanitize-block",
    "ata-secure-erase",
    "overwrite",
  ],
  hdd: [
    "ata-sanitize-crypto",
    "ata-secure-erase-enhanced",
    "scsi-sanitize-crypto",
    "scsi-sanitize-block",
    "ata-secure-erase",
    "overwrite",
  ],
  "raid-kit": ["raid-kit-format"],
};

/** Whether a technique counts under a standard for a minimum. Pure. */
export const counts = (technique: Technique, standard: Standard, minimum: Level): boolean => {
  const level = levelOf(technique, standard);
  return level !== "none" && reaches(level, minimum) && countsWithoutException(technique);
};

/** For each medium the wanted level, or Clear if no technique for it reaches that. */
function presetOf(standard: Standard, wanted: Level): ErasePreset {
  const techniquesAt = (media: Media, minimum: Level): readonly Technique[] =>
    inOrder[media].filter((technique) => counts(technique, standard, minimum));
  const levelFor = (media: Media): Level => (techniquesAt(media, wanted).length > 0 ? wanted : "clear");
  const byMedia = <Value>(of: (media: Media) => Value): Readonly<Record<Media, Value>> => ({
    nvme: of("nvme"),
    ssd: of("ssd"),
    hdd: of("hdd"),
    "raid-kit": of("raid-kit"),
  });
  return {
    standard,
    minimum: byMedia(levelFor),
    techniques: byMedia((media) => techniquesAt(media, levelFor(media))),
  };
}

export const presetNames = ["ieee-2883-purge", "sp-800-88r1-purge", "clear"] as const;
export type PresetName = (typeof presetNames)[number];

interface PresetRow extends ErasePreset {
  readonly label: string;
  readonly summary: string;
  /** Where it comes from. */
  readonly source: { readonly words: string; readonly href: string };
}

export const presets = {
  "ieee-2883-purge": {
    ...presetOf("ieee-2883", "purge"),
    label: "IEEE 2883 Purge",
    summary:
      "Purge as defined by IEEE 2883: NVMe by Sanitize. Format with a user-data erase is only Clear there and does not count; RAID kits offer nothing above Clear.",
    source: {
      words: "IEEE 2883-2022, referred to by NIST SP 800-88 Rev. 2",
      href: "https://standards.ieee.org/ieee/2883/10277/",
    },
  },
  "sp-800-88r1-purge": {
    ...presetOf("sp-800-88r1", "purge"),
    label: "NIST 800-88r1 Purge",
    summary:
      "Purge as defined by NIST SP 800-88 Rev. 1, where an NVMe Format with a user-data erase counts. Its tables do not include NVMe Sanitize.",
    source: {
      words: "NIST SP 800-88 Rev. 1, Appendix A",
      href: "https://csrc.nist.gov/pubs/sp/800/88/r1/final",
    },
  },
  clear: {
    ...presetOf("ieee-2883", "clear"),
    label: "Clear",
    summary:
      "Purge where a drive supports it, otherwise Clear: protects against recovery by software, not by a laboratory. For sites whose drives never leave.",
    source: {
      words: "IEEE 2883-2022, and NIST SP 800-88 Rev. 2",
      href: "https://csrc.nist.gov/pubs/sp/800/88/r2/final",
    },
  },
} as const satisfies Record<PresetName, PresetRow>;

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);

/** The preset that a policy matches; null: none. Pure. */
export const presetOfPolicy = (policy: ErasePreset): PresetName | null =>
  presetNames.find((name) => {
    const preset: ErasePreset = presets[name];
    return (
      preset.standard === policy.standard &&
      mediaKinds.every(
        (media) =>
          preset.minimum[media] === policy.minimum[media] &&
          sameList(preset.techniques[media], policy.techniques[media]),
      )
    );
  }) ?? null;
