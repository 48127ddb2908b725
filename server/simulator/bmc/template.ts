// A resource of a captured tree as text with holes: all hosts share the fixed parts, and the holes are filled with one host's identity and state.

export type Hole =
  | { readonly kind: "serial" }
  | { readonly kind: "serviceTag" }
  | { readonly kind: "uuid"; readonly form: "plain" | "upper" | "smbios" | "reversed" }
  | { readonly kind: "mac"; readonly captured: string; readonly place: number; readonly upper: boolean }
  | { readonly kind: "drive"; readonly place: number }
  | { readonly kind: "part"; readonly place: number }
  | { readonly kind: "state"; readonly property: StateProperty };

export const stateProperties = [
  "power",
  "bootEnabled",
  "bootTarget",
  "bootMode",
  "lastReset",
  "intrusion",
  "etag",
] as const;
export type StateProperty = (typeof stateProperties)[number];

export interface Template {
  /** One more than there are holes. */
  readonly fixed: readonly string[];
  readonly holes: readonly Hole[];
}

/** Placeholder for a property that changes, in the JSON before it is cut into a template. */
export const mark = (property: StateProperty) => `@@${property}@@`;

/** Cuts a text at every captured identity and placeholder. */
export function cut(text: string, known: ReadonlyMap<string, Hole>, finder: RegExp): Template {
  const fixed: string[] = [];
  const holes: Hole[] = [];
  let end = 0;
  for (const match of text.matchAll(finder)) {
    const hole = known.get(match[0]);
    if (!hole) continue;
    fixed.push(text.slice(end, match.index));
    holes.push(hole);
    end = match.index + match[0].length;
  }
  fixed.push(text.slice(end));
  return { fixed, holes };
}

export function fill(template: Template, valueOf: (hole: Hole) => string): string {
  let text = template.fixed[0] ?? "";
  for (const [index, hole] of template.holes.entries())
    text += valueOf(hole) + (template.fixed[index + 1] ?? "");
  return text;
}
