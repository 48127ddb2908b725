// What a BMC's answers identify it by: found in a first pass over all of them, so that the second replaces it wherever it stands.
import { isIPv4, isIPv6 } from "node:net";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { isObject } from "@/server/domain/json";
import { dnsNamesIn, foundIn, hostsIn, isHostName } from "@/server/hardware/redfish/record/forms";
import { replacedKinds, type ReplacedKind } from "@/server/domain/hardware/recording";
import {
  isProvider,
  isProviderId,
  isTelling,
  isVersionName,
  kindElsewhere,
  kindOf,
} from "@/server/hardware/redfish/record/kinds";
import { sameAs } from "@/server/hardware/redfish/record/stand-ins";

/** The property that a member of an object is about: the value of a named attribute is about the attribute. */
export function aboutOf(object: Readonly<Record<string, unknown>>, member: string): string {
  if (!/^(Current|Default)?Value$/.test(member)) return member;
  const { AttributeName, Name, Key } = object;
  const named = [AttributeName, Name, Key].find((name) => typeof name === "string");
  return typeof named === "string" ? named : member;
}

/** Properties whose words belong to the vendor or the standard. */
const isVocabulary = (property: string): boolean =>
  /^(Name|Manufacturer|Model|Vendor|Product|RoleId|Description|@odata\.type)$/.test(property);

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^a-z0-9]+/);

/** It stands for itself also inside of other words: it has letters and digits, or many digits. */
const isDistinctive = (value: string): boolean =>
  (value.length >= 6 && /[a-z]/i.test(value) && /\d/.test(value)) || /^\d{8,}$/.test(value);

/** A word that so many properties have as their value belongs to the standard or to the vendor. */
const manyProperties = 3;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

export class KnownValues {
  readonly #known = new Map<ReplacedKind, Map<string, string>>(
    replacedKinds.map((kind) => [kind, new Map()]),
  );
  readonly #vocabulary = new Set<string>();
  /** The properties that had a value whose name tells no kind. */
  readonly #having = new Map<string, Set<string>>();

  add(kind: ReplacedKind, value: string): void {
    const text = value.trim();
    if (!isTelling(text) || ((kind === "serial" || kind === "identifier") && isPlaceholderSerial(text)))
      return;
    if (kind === "host") return this.#addHost(text, true);
    this.#set(kind, text);
  }

  /** All that a resource tells. */
  learn(path: string, body: unknown): void {
    this.#learnPath(path);
    this.#learn(body, "");
  }

  has(kind: ReplacedKind, value: string): boolean {
    return this.#known.get(kind)?.has(sameAs(kind, value.trim())) === true;
  }

  /** A word of the standard or of the vendor: replacing it everywhere would tear the tree. */
  isWord(value: string): boolean {
    const word = value.toLowerCase();
    return this.#vocabulary.has(word) || (this.#having.get(word)?.size ?? 0) >= manyProperties;
  }

  /** All values as they are compared. */
  all(): ReadonlySet<string> {
    return new Set([...this.#known.values()].flatMap((values) => [...values.keys()]));
  }

  /** Finds known values inside of a text; null: there are none that can be told from other words. */
  pattern(): RegExp | null {
    const parts = [...this.#known]
      .flatMap(([kind, values]) => [...values].map(([same, value]) => (kind === "mac" ? same : value)))
      .toSorted((one, other) => other.length - one.length)
      .flatMap((value) => this.#literal(value) ?? []);
    return parts.length === 0 ? null : new RegExp(parts.join("|"), "gi");
  }

  /** The kind of a value that the pattern found. */
  kindOf(found: string): ReplacedKind | null {
    return replacedKinds.find((kind) => this.has(kind, found)) ?? null;
  }

  #literal(value: string): string | null {
    if (/^\d+$/.test(value) && isDistinctive(value)) return String.raw`(?<!\d)${value}(?!\d)`;
    if (isIPv4(value) || isIPv6(value)) return String.raw`(?<![\w.:])${escaped(value)}(?![\w:]|\.\d)`;
    if (isDistinctive(value)) return escaped(value);
    return value.length >= 4 && !this.isWord(value)
      ? `(?<![A-Za-z0-9])${escaped(value)}(?![A-Za-z0-9])`
      : null;
  }

  #set(kind: ReplacedKind, text: string): void {
    const values = this.#known.get(kind);
    const same = sameAs(kind, text);
    if (values?.has(same) === false) values.set(same, text);
  }

  /** @param parts with its first part and its domain, which also stand alone */
  #addHost(text: string, parts: boolean): void {
    for (const piece of text.split(/[\s,;]+/)) {
      const name = piece.replace(/:\d+$/, "").replace(/\.$/, "");
      if (!isHostName(name) || /^(localhost|none|null|enabled|disabled|dhcp|static|unknown)$/i.test(name))
        continue;
      this.#set("host", name);
      const [first = "", ...domain] = name.split(".");
      if (domain.length === 0 || !parts) continue;
      this.#set("host", first);
      if (domain.length > 1) this.#set("host", domain.join("."));
    }
  }

  #learnPath(path: string): void {
    // The name of an account or of a directory may be the last part of its path.
    for (const part of path.replace(/\/(accounts|externalaccountproviders)\/.*$/i, "").split("/"))
      for (const word of [part.toLowerCase(), ...wordsOf(part)]) this.#vocabulary.add(word);
  }

  #learn(value: unknown, property: string): void {
    if (Array.isArray(value)) for (const item of value) this.#learn(item, property);
    else if (isObject(value)) {
      const isDirectory = isProvider(value["@odata.type"]);
      const { Id: id } = value;
      if (isDirectory && typeof id === "string" && !isProviderId(id)) this.add("user", id);
      for (const [member, inner] of Object.entries(value)) {
        this.#vocabulary.add(member.toLowerCase());
        this.#find(member, "@odata");
        // What its owner calls a directory is no word of the vendor.
        if (isDirectory && isVocabulary(member) && typeof inner === "string") this.#find(inner, member);
        else this.#learn(inner, aboutOf(value, member));
      }
    } else if (typeof value === "string") this.#learnText(value, property);
    else if (typeof value === "number" && kindOf(property) === "serial") this.add("serial", String(value));
  }

  #learnText(text: string, property: string): void {
    const kind = kindOf(property);
    const elsewhere = kindElsewhere(property);
    if (kind === "mac" && /^[0-9a-f]{12}$/i.test(text)) this.add("mac", text);
    else if (kind === "uuid" && /^[0-9a-f]{32}$/i.test(text)) this.add("identifier", text);
    else if (elsewhere === "serial" || elsewhere === "user" || elsewhere === "identifier")
      this.add(elsewhere, text);
    else if (elsewhere === "host" && !/^\d+$/.test(text)) this.add("host", text);
    if (kind === null && /^[a-z ]{2,40}$/i.test(text)) {
      const word = text.toLowerCase();
      this.#having.set(word, (this.#having.get(word) ?? new Set()).add(property));
    }
    if (kind === null && isVocabulary(property))
      for (const word of [text.toLowerCase(), ...wordsOf(text)]) this.#vocabulary.add(word);
    for (const host of hostsIn(text)) this.add(isIPv4(host) || isIPv6(host) ? "ip" : "host", host);
    this.#find(text, property);
  }

  #find(text: string, property: string): void {
    for (const [kind, found] of foundIn(text, isVersionName(property))) this.add(kind, found);
    // The members' names and the types of resources have dots, too.
    if (!property.includes("@"))
      for (const name of dnsNamesIn(text)) this.#addHost(name, name.split(".").length > 2);
  }
}
