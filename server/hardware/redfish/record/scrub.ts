// Takes out of a BMC's answers what identifies the machine, its place and its people, and leaves what the BMC can do.
import { isIPv4, isIPv6 } from "node:net";
import { isObject } from "@/server/domain/json";
import { hasDistinguishedName, withoutPlaces } from "@/server/hardware/redfish/record/forms";
import {
  removedKinds,
  replacedKinds,
  type RemovedKind,
  type ReplacedKind,
  type ScrubbedKind,
} from "@/server/domain/hardware/recording";
import {
  isCoordinate,
  isDirectory,
  isDirectoryWord,
  isPlace,
  isProvider,
  isTelling,
  kindOf,
} from "@/server/hardware/redfish/record/kinds";
import { aboutOf, KnownValues } from "@/server/hardware/redfish/record/known-values";
import { StandIns } from "@/server/hardware/redfish/record/stand-ins";

/** What stands for a value that was taken out. */
export const removed = "(removed)";

/** What is known before anything is read. */
export interface KnownBefore {
  readonly host: string;
  readonly username: string;
  readonly password: string;
}

const hasKey = /-----BEGIN |^(ssh-(rsa|dss|ed25519)|ecdsa-sha2-\S+) [A-Za-z0-9+/=]{16,}/;

/** Which texts of an object stay: what its names and forms allow, of a directory only the standard's own words, or none. */
type Keeps = "allowed" | "words" | "none";

/** Values of one text: those that are done are not looked at again. */
type Part = readonly [text: string, isDone: boolean];

export class Scrubber {
  readonly #known: KnownValues;
  readonly #password: string;
  readonly #standIns: StandIns;
  readonly #pattern: RegExp | null;
  readonly #removedCounts = new Map<RemovedKind, number>();

  /**
   * @param key random, for the stand-ins
   * @param resources all answers by path: a value is replaced in all of them
   */
  constructor(
    key: Buffer,
    resources: ReadonlyMap<string, unknown>,
    { host, username, password }: KnownBefore,
  ) {
    this.#known = new KnownValues();
    for (const [path, body] of resources) this.#known.learn(path, body);
    this.#known.add(isIPv4(host) || isIPv6(host) ? "ip" : "host", host);
    this.#known.add("user", username);
    this.#password = password;
    this.#standIns = new StandIns(key, this.#known.all());
    this.#pattern = this.#known.pattern();
  }

  /** How many values were replaced or taken out, by kind, without the kinds of which there were none. */
  counts(): readonly { readonly kind: ScrubbedKind; readonly count: number }[] {
    const replacedCounts = this.#standIns.counts();
    return [
      ...replacedKinds.map((kind) => ({ kind, count: replacedCounts.get(kind) ?? 0 })),
      ...removedKinds.map((kind) => ({ kind, count: this.#removedCounts.get(kind) ?? 0 })),
    ].filter(({ count }) => count > 0);
  }

  /** A text, such as a path, without what identifies. */
  text(text: string): string {
    let parts: readonly Part[] = [[text, false]];
    if (this.#password.length >= 4 && !this.#known.isWord(this.#password))
      parts = each(parts, (open) => between(open, this.#password, () => this.#remove("secret")));
    parts = each(parts, (open) =>
      matches(open, /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>()]*/gi, (url) => {
        const without = withoutPlaces(url, (host) =>
          isIPv4(host) || isIPv6(host) ? this.#ip(host) : this.#standIns.of("host", host),
        );
        return without === url ? null : without;
      }),
    );
    parts = each(parts, (open) =>
      matches(open, /(?<=\/(?:accounts|externalaccountproviders)\/)[^/?#]+/gi, (name) =>
        this.#known.has("user", name) && !this.#known.isWord(name) ? this.#standIns.of("user", name) : null,
      ),
    );
    if (this.#pattern !== null) {
      const pattern = this.#pattern;
      parts = each(parts, (open) =>
        matches(open, pattern, (found) => {
          const kind = this.#known.kindOf(found);
          return kind === null ? null : this.#standIns.of(kind, found);
        }),
      );
      // A MAC address in a form that no answer had as a value of its own.
      parts = each(parts, (open) =>
        matches(open, /[0-9a-f]{2}(?:([:-]?)[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}/gi, (found) =>
          this.#known.has("mac", found) ? this.#standIns.of("mac", found) : null,
        ),
      );
    }
    return parts.map(([part]) => part).join("");
  }

  body(body: unknown): unknown {
    return this.#value(body, "", "allowed");
  }

  #value(value: unknown, property: string, keeps: Keeps): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, property, keeps));
    if (isObject(value)) return this.#object(value, property, keeps);
    if (typeof value === "string") return this.#told(value, property, keeps);
    if (typeof value !== "number") return value;
    if (isCoordinate(property)) return this.#count("text", null);
    return kindOf(property) === "serial" && this.#known.has("serial", String(value))
      ? Number(this.#standIns.of("serial", String(value)))
      : value;
  }

  #object(object: Readonly<Record<string, unknown>>, property: string, outer: Keeps): unknown {
    const type = object["@odata.type"];
    const isLink = "@odata.id" in object || "target" in object;
    const keeps: Keeps =
      outer === "none" || isPlace(property) || (!isLink && kindOf(property) === "secret")
        ? "none"
        : isDirectory(property, type)
          ? "words"
          : outer;
    const isAccount = /^#ManagerAccount\./.test(String(type));
    return Object.fromEntries(
      Object.entries(object).map(([member, inner]) => [
        this.text(member),
        // Some BMCs number an account or a directory by its name.
        ((isAccount && (member === "Id" || member === "Name")) ||
          (isProvider(type) && member === "Id" && this.#known.has("user", String(inner)))) &&
        typeof inner === "string"
          ? this.#account(inner)
          : this.#value(inner, aboutOf(object, member), member.startsWith("@odata") ? "allowed" : keeps),
      ]),
    );
  }

  #account(name: string): string {
    return this.#known.has("user", name) && !this.#known.isWord(name)
      ? this.#standIns.of("user", name)
      : this.text(name);
  }

  #told(text: string, property: string, keeps: Keeps): string {
    if (!isTelling(text)) return text;
    if (hasKey.test(text)) return this.#remove("key");
    if (keeps === "none" || hasDistinguishedName(text)) return this.#remove("text");
    const kind = kindOf(property);
    switch (kind) {
      case "secret":
      case "key":
      case "text":
        return this.#remove(kind);
      case null:
        return keeps === "words" && !isDirectoryWord(property, text) && !property.includes("@")
          ? this.#remove("text")
          : this.text(text);
      default:
        return this.#whole(kind, text);
    }
  }

  /** A value that is a name as a whole, also if it is too short to be found elsewhere. One of a place or person that is in no form that is known goes. */
  #whole(kind: ReplacedKind, text: string): string {
    const trimmed = text.trim();
    if (kind !== "mac" && kind !== "ip" && this.#known.has(kind, trimmed))
      return this.#standIns.of(kind, trimmed);
    const made = this.text(text);
    const isPerson = kind === "host" || kind === "user";
    return isPerson && made === text && !isOwnPlace(trimmed) ? this.#remove("text") : made;
  }

  #ip(host: string): string {
    return this.#known.has("ip", host) ? this.#standIns.of("ip", host) : host;
  }

  #remove(kind: RemovedKind): string {
    return this.#count(kind, removed);
  }

  #count<Value>(kind: RemovedKind, value: Value): Value {
    this.#removedCounts.set(kind, (this.#removedCounts.get(kind) ?? 0) + 1);
    return value;
  }
}

/** A host of each machine's own, or an address that is nobody's. */
const isOwnPlace = (text: string): boolean =>
  /^(localhost|null|dhcp|static|unknown|any|all|\*)$/i.test(text) || isIPv4(text) || isIPv6(text);

const each = (parts: readonly Part[], split: (open: string) => readonly Part[]): readonly Part[] =>
  parts.flatMap((part) => (part[1] || part[0] === "" ? [part] : split(part[0])));

/** Parts a text at what a pattern finds; null leaves it as it is. */
function matches(text: string, pattern: RegExp, standIn: (found: string) => string | null): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const made = standIn(match[0]);
    if (made === null) continue;
    parts.push([text.slice(from, match.index), false], [made, true]);
    from = match.index + match[0].length;
  }
  parts.push([text.slice(from), false]);
  return parts;
}

const between = (text: string, cut: string, made: () => string): readonly Part[] =>
  text.split(cut).flatMap((part, place): Part[] =>
    place === 0
      ? [[part, false]]
      : [
          [made(), true],
          [part, false],
        ],
  );
