// What differs between two site documents, as changes that people read and that make the one of the other (docs/adr/0048-site-document.md).
import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import { z } from "zod";
import { withoutPem } from "@/server/domain/site/authorities";
import { normalForm, siteDocument } from "@/server/domain/site/document";
import type { SiteDocument } from "@/server/domain/site/document";

/** `secret`: its value, which nobody is shown. */
export const changeKinds = ["add", "remove", "set", "secret"] as const;

export const siteChange = z
  .strictObject({
    kind: z.enum(changeKinds),
    /** Members by name, SKUs and tenants by name and org. */
    path: z.array(z.string()).readonly(),
    /** Null where there was nothing. */
    before: z.json(),
    /** Null where there is nothing. */
    after: z.json(),
  })
  .readonly();
export type SiteChange = z.infer<typeof siteChange>;

type Value = SiteChange["before"];
type Tree = { readonly [member: string]: Value };

/** Of JSON: what is an object there has JSON in its members. */
const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same as JSON has it: without members that are undefined. */
function jsonOf(value: object): Tree {
  const json: unknown = JSON.parse(JSON.stringify(value));
  if (!isTree(json)) throw new Error("a list is no part of a document by itself");
  return json;
}

/** Object.fromEntries makes members of its own of any names, `__proto__` among them. */
const treeOf = (entries: Iterable<readonly [string, Value]>): Tree => Object.fromEntries(entries);

/** The normal form with its lists as members by id, so that their order is no difference. */
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

/** Throws where changes were applied to a document that they are not of. */
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

/** The same for any part of a document, such as one SKU. Pure. */
export const memberChanges = (before: object, after: object): readonly SiteChange[] =>
  changesBetween(jsonOf(before), jsonOf(after), []);

/** Tells states of such a part apart. Pure. */
export const memberRevision = (part: object): string => digest(jsonOf(part));

/** What makes `after` of `before`. Empty: they mean the same. Pure. */
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

/** The document after the changes. Secrets are not in it. Pure. */
export function withChanges(document: SiteDocument, changes: readonly SiteChange[]): SiteDocument {
  const tree = changes.reduce(
    (sofar, change) => (change.kind === "secret" ? sofar : changed(sofar, change.path, change)),
    toTree(document),
  );
  return normalForm(fromTree(tree));
}

/** Tells states of a site apart, also those that other acts have made. Pure. */
export const revisionOf = (document: SiteDocument): string => digest(toTree(document));

const longest = 120;
const shortWords = (value: Value): string => {
  const text = withoutPem(JSON.stringify(value));
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
};

/** "policy.times.stateMs: 1800000 → 60000", for people. Pure. */
export const changeWords = (change: SiteChange): string => wordsOf(change, shortWords);

/** The same with all of each value, for who decides on it. Pure. */
export const wholeChangeWords = (change: SiteChange): string =>
  wordsOf(change, (value) => JSON.stringify(value));

function wordsOf({ kind, path, before, after }: SiteChange, valueWords: (value: Value) => string): string {
  const where = path.join(".");
  switch (kind) {
    case "add":
      return `${where}: added ${valueWords(after)}`;
    case "remove":
      return `${where}: removed, was ${valueWords(before)}`;
    case "set":
      return `${where}: ${valueWords(before)} → ${valueWords(after)}`;
    case "secret":
      return `${where}: another secret`;
  }
}
