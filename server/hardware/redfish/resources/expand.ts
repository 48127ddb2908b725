// `$expand`: a resource together with those that it links to, in one answer, if the service root offers it (DSP0266, 7.3.1; docs/adr/0019).
import { z } from "zod";
import { isObject } from "@/server/domain/json";
import { link, pathOf } from "@/server/hardware/redfish/resources/references";

/** How a BMC expands links. */
export interface Expand {
  /** `.`: all links except those in `Links`; `*`: all links. */
  readonly option: "." | "*";
  /** Maximum number of levels; 1 if the BMC accepts no number. */
  readonly maxLevels: number;
  /** Whether it accepts a number of levels. */
  readonly takesLevels: boolean;
  /** False once a single resource came back without its content: some BMCs expand collections only. */
  readonly ofResources: boolean;
}

const flag = z.boolean().nullish().catch(null);

export const protocolFeatures = z
  .object({
    ExpandQuery: z
      .object({
        NoLinks: flag,
        ExpandAll: flag,
        Levels: flag,
        MaxLevels: z.number().int().nullish().catch(null),
      })
      .nullish()
      .catch(null),
  })
  .nullish()
  .catch(null);

/** What a service root offers; null if that is of no use. */
export function expandOf(features: z.infer<typeof protocolFeatures>): Expand | null {
  const query = features?.ExpandQuery;
  const option = query?.NoLinks === true ? "." : query?.ExpandAll === true ? "*" : null;
  if (option === null) return null;
  const takesLevels = query?.Levels === true;
  return {
    option,
    takesLevels,
    maxLevels: takesLevels ? Math.max(1, query?.MaxLevels ?? 1) : 1,
    ofResources: true,
  };
}

/** The query string. Without a number it means one level. */
export const expandQuery = ({ option, takesLevels, maxLevels }: Expand, levels: number): string =>
  `?$expand=${option}${takesLevels ? `($levels=${Math.min(levels, maxLevels)})` : ""}`;

/** The members and drives that came with content in an expanded answer, by path. Bare links are skipped. */
export function contentsOf(body: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const visit = (value: unknown, levels: number): void => {
    const { Members, Drives } = isObject(value) ? value : {};
    for (const item of [Members, Drives]
      .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
      .filter(isObject)) {
      const linked = link.safeParse(item);
      const path = linked.success ? pathOf(linked.data["@odata.id"]) : null;
      if (path === null || !Object.keys(item).some((name) => !name.startsWith("@"))) continue;
      found.set(path, item);
      if (levels > 1) visit(item, levels - 1);
    }
  };
  visit(body, 2);
  return found;
}

/** Tests whether a resource came with all of these properties; otherwise it is read by itself. */
export const hasAll =
  (...names: readonly string[]) =>
  (body: unknown): boolean =>
    isObject(body) && names.every((name) => name in body);
