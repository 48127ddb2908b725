// Stand-ins for what identifies a machine: of the same form, the same for the same value in one recording, and not to be turned back.
import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type { ReplacedKind } from "@/server/domain/hardware/recording";

/** How a value is compared: without case, and a MAC address without its separators. */
export const sameAs = (kind: ReplacedKind, value: string): string =>
  kind === "mac" ? value.replace(/[:-]/g, "").toLowerCase() : value.toLowerCase();

const letters = "abcdefghjkmnpqrstuvwxyz";

/** Endless bytes that follow from the key and the value. */
function* bytesOf(key: Buffer, value: string, attempt: number): Generator<number, never> {
  for (let block = 0; ; block += 1)
    yield* createHmac("sha256", key).update(`${attempt}:${block}:${value}`).digest();
}

/** Digits for digits, letters for letters in the same case, the rest as it is. */
function likeShape(value: string, bytes: Generator<number, never>): string {
  const isHex = /^[0-9a-f:.-]+$/i.test(value) && /[0-9]/.test(value);
  const alphabet = isHex ? "abcdef" : letters;
  return value.replace(/[a-z0-9]/gi, (sign) => {
    const byte = bytes.next().value;
    if (/\d/.test(sign)) return String(byte % 10);
    const letter = alphabet.charAt(byte % alphabet.length);
    return sign === sign.toUpperCase() ? letter.toUpperCase() : letter;
  });
}

const hexDigits = (bytes: Generator<number, never>, count: number): string =>
  Array.from({ length: count }, () => (bytes.next().value % 16).toString(16)).join("");

/** Benchmarking addresses (RFC 2544), and documentation addresses (RFC 3849). */
function ipLike(value: string, bytes: Generator<number, never>): string {
  const next = () => bytes.next().value;
  if (!isIPv6(value)) return `198.${18 + (next() % 2)}.${next()}.${1 + (next() % 254)}`;
  const prefix = /^fe[89ab]/i.test(value) ? "fe80:" : "2001:db8:";
  return `${prefix}:${[4, 4, 4].map((count) => (Number.parseInt(hexDigits(bytes, count), 16) || 1).toString(16)).join(":")}`;
}

export class StandIns {
  readonly #key: Buffer;
  readonly #originals: ReadonlySet<string>;
  readonly #made = new Map<string, { readonly kind: ReplacedKind; readonly standIn: string }>();
  readonly #used = new Set<string>();

  /**
   * @param key random and thrown away: whoever guesses a serial number cannot test the guess
   * @param originals all values that are replaced, as they are compared; none of them becomes a stand-in
   */
  constructor(key: Buffer, originals: ReadonlySet<string>) {
    this.#key = key;
    this.#originals = originals;
  }

  /** The same for a value of whatever kind. In the letters' case of the value where it has one. */
  of(told: ReplacedKind, value: string): string {
    const same = sameAs(told, value);
    const known = this.#made.get(same) ?? { kind: told, standIn: this.#make(told, value, same) };
    this.#made.set(same, known);
    const { kind, standIn } = known;
    if (kind === "mac") return dressed(standIn, value);
    if (kind === "host" || kind === "user" || kind === "ip") return standIn;
    if (value === same) return standIn.toLowerCase();
    return value === value.toUpperCase() ? standIn.toUpperCase() : standIn;
  }

  /** How many values have a stand-in, by kind. */
  counts(): ReadonlyMap<ReplacedKind, number> {
    const counts = new Map<ReplacedKind, number>();
    for (const { kind } of this.#made.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }

  #make(kind: ReplacedKind, value: string, same: string): string {
    for (let attempt = 0; ; attempt += 1) {
      const made = this.#attempt(kind, value, same, attempt);
      const compared = sameAs(kind, made);
      // A value of one or two signs may have no other of its form left.
      if ((this.#used.has(compared) || this.#originals.has(compared)) && attempt < 100) continue;
      this.#used.add(compared);
      return made;
    }
  }

  #attempt(kind: ReplacedKind, value: string, same: string, attempt: number): string {
    const bytes = bytesOf(this.#key, same, attempt);
    switch (kind) {
      case "mac":
        // The vendor's first three bytes stay: they tell a network card from a card between host and BMC.
        return `${same.slice(0, 6)}${hexDigits(bytes, 6)}`;
      case "uuid":
        // The version and the variant stay (RFC 9562).
        return same.replace(/[0-9a-f]/g, (sign, place: number) =>
          place === 14 || place === 19 ? sign : hexDigits(bytes, 1),
        );
      case "ip":
        return ipLike(value, bytes);
      case "host":
        return `host-${this.#used.size + attempt + 1}${value.includes(".") ? ".example" : ""}`;
      case "user":
        return `user-${this.#used.size + attempt + 1}${value.includes("@") ? "@host.example" : ""}`;
      case "serial":
      case "identifier":
        return likeShape(value, bytes);
    }
  }
}

/** Twelve hexadecimal digits with the separators and the case of a MAC address. */
function dressed(digits: string, like: string): string {
  const separator = /[:-]/.exec(like)?.[0] ?? "";
  const parted = separator === "" ? digits : (digits.match(/../g) ?? []).join(separator);
  return like === like.toUpperCase() ? parted.toUpperCase() : parted;
}
