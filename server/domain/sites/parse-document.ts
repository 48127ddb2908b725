// Parses the text of a site document, into the document or into all faults with their lines (docs/adr/0048-site-document.md).
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, Scalar } from "yaml";
import type { Document } from "yaml";
import { z } from "zod";
import { completed, siteDocument } from "@/server/domain/sites/document";
import type { SiteDocument } from "@/server/domain/sites/document";
import { formatDocument } from "@/server/domain/schema-text";
import { siteJsonSchema } from "@/server/domain/sites/json-schema";
import { readAuthorities } from "@/server/domain/sites/read-authorities";

/** More than any site needs; a request has at most 1 MiB. */
export const longestDocument = 500_000;
/** Further faults are not shown, because one wrong indent can cause thousands. */
const maxFaults = 100;

export const documentFault = z
  .strictObject({
    /** From 1. */
    line: z.number(),
    column: z.number(),
    /** Such as `policy.times.stateMs`; empty: the document itself. */
    path: z.string(),
    message: z.string(),
  })
  .readonly();
export type DocumentFault = z.infer<typeof documentFault>;

export type Path = readonly (string | number)[];
/** Creates a fault at a place of the document. */
export type FaultAt = (path: Path, message: string) => DocumentFault;

export type ParsedDocument =
  | { readonly ok: true; readonly document: SiteDocument; readonly faultAt: FaultAt }
  | { readonly ok: false; readonly site: string | null; readonly faults: readonly DocumentFault[] };

/** Where a path begins in the text; if it does not exist there, where its nearest parent begins. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof segment === "number") {
      node = node.items[segment];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

/** Where a line of a text value begins; null if the document does not contain the text as a block of lines. */
function offsetOfLine(document: Document, path: Path, line: number, { lineStarts }: LineCounter) {
  const node = document.getIn(path, true);
  if (!isScalar(node) || node.type !== Scalar.BLOCK_LITERAL) return null;
  const header = node.range?.[0] ?? 0;
  const first = lineStarts.findIndex((start) => start > header);
  return first === -1 ? null : (lineStarts[first + line] ?? null);
}

const formatPath = (path: Path): string => path.map(String).join(".");

const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;

const schemaNode = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
});

/** The settings that exist at a place of the document; null if it has no fixed settings. */
function settingsAt(ofSites: object, path: Path): readonly string[] | null {
  const found = path.reduce<unknown>((schema, segment) => {
    const { properties, items } = schemaNode.catch({}).parse(schema);
    return typeof segment === "number" ? items : properties?.[segment];
  }, ofSites);
  const { properties } = schemaNode.catch({}).parse(found);
  return properties === undefined ? null : Object.keys(properties);
}

const andList = new Intl.ListFormat("en");

function unknownText(ofSites: object, path: Path): string {
  const settings = settingsAt(ofSites, path);
  return settings === null
    ? "there is no such setting"
    : `there is no such setting; there are ${andList.format(settings)}`;
}

function faultsOf({ issues }: z.ZodError, faultAt: FaultAt): readonly DocumentFault[] {
  const ofSites = siteJsonSchema();
  return issues.flatMap((issue) => {
    const path = issue.path.map((segment) => (typeof segment === "symbol" ? String(segment) : segment));
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => faultAt([...path, key], unknownText(ofSites, path)))
      : [faultAt(path, messageOf(issue))];
  });
}

const siteOf = z.looseObject({ site: z.string() });

/** Never throws, whatever the text contains. Pure. */
export function parseSiteDocument(text: string): ParsedDocument {
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const yaml = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const faultAt: FaultAt = (path, message) => ({
    ...place(offsetOf(yaml, path)),
    path: formatPath(path),
    message,
  });
  const refused = (faults: readonly DocumentFault[], site: string | null = null): ParsedDocument => ({
    ok: false,
    site,
    faults: [...faults].sort((a, b) => a.line - b.line || a.column - b.column).slice(0, maxFaults),
  });
  const problems = [...yaml.errors, ...yaml.warnings];
  if (problems.length > 0)
    return refused(problems.map(({ pos, message }) => ({ ...place(pos[0]), path: "", message })));
  let raw: unknown;
  try {
    raw = yaml.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return refused([faultAt([], error instanceof Error ? error.message : String(error))]);
  }
  const parsed = siteDocument.safeParse(completed(raw), { error: formatDocument });
  if (!parsed.success)
    return refused(faultsOf(parsed.error, faultAt), siteOf.safeParse(raw).data?.site ?? null);
  const faults = Object.entries(parsed.data.authorities ?? {}).flatMap(([name, { pem }]) =>
    readAuthorities(pem).faults.map(({ line, message }): DocumentFault => {
      const path = ["authorities", name, "pem"];
      const offset = offsetOfLine(yaml, path, line, lines);
      return offset === null
        ? faultAt(path, `line ${line + 1} of the PEM: ${message}`)
        : { ...place(offset + (text.slice(offset).search(/[^ ]/) || 0)), path: formatPath(path), message };
    }),
  );
  return faults.length > 0 ? refused(faults, parsed.data.site) : { ok: true, document: parsed.data, faultAt };
}
