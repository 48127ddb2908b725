// The differences between two site documents, as changes that people can read and that turn one into the other (docs/adr/0048-site-document.md).
import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import { z } from "zod";
import { withoutPem } from "@/server/domain/sites/authorities";
import { normalForm, siteDocument } from "@/server/domain/sites/document";
import type { SiteDocument } from "@/server/domain/sites/document";

/** `secret`: its value has changed, and is never shown. */
export const changeKinds = ["add", "remove", "set", "secret"] as const;

export const siteChange = z
  .strictObject({
    kind: z.enum(changeKinds),
    /** Names of members; SKUs by name, tenants by org. */
    path: z.array(z.string()).readonly(),
    /** Null if there was no value. */
    before: z.json(),
    /** Null if there is no value now. */
    after: z.json(),
  })
  .readonly();
export type SiteChange = z.infer<typeof siteChange>;

type Value = SiteChange["before"];
type Tree = { readonly [member: string]: Value };

/** For JSON values: an object's members are JSON as well. */
const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** As JSON, without undefined members. */
function jsonOf(value: object): Tree {
  const json: unknown = JSON.parse(JSON.stringify(value));
  if (!isTree(json)) throw new Error("a list is no part of a document by itself");
  return json;
}

/** Object.fromEntries creates own members whatever their names, including `__proto__`. */
const treeOf = (entries: Iterable<readonly [string, Value]>): Tree => Object.fromEntries(entries);

/** The normal form with lists turned into members by id, so that their order makes no difference. */
function toTree(document: SiteDocument): Tree {
  const { skus, tenants, policy, ...rest } = normalForm(document);
  const { procedures, ...settings } = policy;
  return {
    ...jsonOf(rest),
    policy: {
      ...jsonOf(settings),
      procedures: treeOf(procedures.map(({ name, ...procedure }) => [name, jsonOf(procedure)])),
    },
    ...(skus === undefined ? {} : { skus: treeOf(skus.map(({ name, ...sku }) => [name, jsonOf(sku)])) }),
    ...(tenants === undefined
      ? {}
      : { tenants: treeOf(tenants.map(({ org, ...tenant }) => [org, jsonOf(tenant)])) }),
  };
}

/** Throws if changes were applied to a document that they do not belong to. */
function fromTree({ skus, tenants, policy, ...rest }: Tree): SiteDocument {
  const listOf = (members: Value | undefined, id: string) =>
    isTree(members)
      ? Object.entries(members).map(([key, member]) => (isTree(member) ? { [id]: key, ...member } : member))
      : members;
  return siteDocument.parse({
    ...rest,
    policy: isTree(policy) ? { ...policy, procedures: listOf(policy["procedures"], "name") } : policy,
    ...(skus === undefined ? {} : { skus: listOf(skus, "name") }),
    ...(tenants === undefined ? {} : { tenants: listOf(tenants, "org") }),
  });
}

const digest = (tree: Tree): string =>
  createHash("sha256")
    .update(canonicalize(tree) ?? "")
    .digest("hex")
    .slice(0, 16);

const same = (a: Value, b: Value): boolean => canonicalize(a) === canonicalize(b);

function changesBetween(before: Tree, after: Tree, path: readonly string[]): readonly SiteChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): readonly SiteChange[] => {
    const [old, next] = [before[name], after[name]];
    const at = [...path, name];
    if (!Object.hasOwn(before, name) || old === undefined)
      return next === undefined ? [] : [{ kind: "add", path: at, before: null, after: next }];
    if (!Object.hasOwn(after, name) || next === undefined)
      return [{ kind: "remove", path: at, before: old, after: null }];
    if (isTree(old) && isTree(next)) return changesBetween(old, next, at);
    return same(old, next) ? [] : [{ kind: "set", path: at, before: old, after: next }];
  });
}

/** The changes between two values of any part of a document, such as one SKU. Pure. */
export const memberChanges = (before: object, after: object): readonly SiteChange[] =>
  changesBetween(jsonOf(before), jsonOf(after), []);

/** Identifies a state of such a part. Pure. */
export const memberRevision = (part: object): string => digest(jsonOf(part));

/** The changes that turn `before` into `after`. Empty: they mean the same. Pure. */
export const siteDifference = (before: SiteDocument, after: SiteDocument): readonly SiteChange[] =>
  changesBetween(toTree(before), toTree(after), []);

function changed(tree: Tree, [name, ...rest]: readonly string[], { kind, after }: SiteChange): Tree {
  if (name === undefined) return tree;
  const entries = new Map(Object.entries(tree));
  const inner = entries.get(name);
  if (rest.length > 0)
    entries.set(name, changed(isTree(inner) ? inner : {}, rest, { kind, path: rest, before: null, after }));
  else if (kind === "remove") entries.delete(name);
  else entries.set(name, after);
  return treeOf(entries);
}

/** The document after the changes, without secrets. Pure. */
export function withChanges(document: SiteDocument, changes: readonly SiteChange[]): SiteDocument {
  const tree = changes.reduce(
    (sofar, change) => (change.kind === "secret" ? sofar : changed(sofar, change.path, change)),
    toTree(document),
  );
  return normalForm(fromTree(tree));
}

/** Identifies a state of a site, including changes made in other ways. Pure. */
export const revisionOf = (document: SiteDocument): string => digest(toTree(document));

const longest = 120;
const shortText = (value: Value): string => {
  const text = withoutPem(JSON.stringify(value));
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
};

/** "policy.times.stateMs: 1800000 → 60000", for people. Pure. */
export const formatChange = (change: SiteChange): string => textOf(change, shortText);

/** The same with complete values, for the person who decides. Pure. */
export const formatWholeChange = (change: SiteChange): string =>
  textOf(change, (value) => JSON.stringify(value));

function textOf({ kind, path, before, after }: SiteChange, formatValue: (value: Value) => string): string {
  const where = path.join(".");
  switch (kind) {
    case "add":
      return `${where}: added ${formatValue(after)}`;
    case "remove":
      return `${where}: removed, was ${formatValue(before)}`;
    case "set":
      return `${where}: ${formatValue(before)} → ${formatValue(after)}`;
    case "secret":
      return `${where}: another secret`;
  }
}
