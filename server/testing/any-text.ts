// Texts of any characters, for property tests.
import fc, { type StringSharedConstraints } from "fast-check";

/** Surrogates are no characters by themselves. */
const surrogates = { from: 0xd800, count: 0x800 };

/**
 * The unit `binary` of fast-check, which makes a map of all 1.1 million characters the first time that a worker needs it: two seconds
 * (docs/adr/0035-cheap-tests.md). This one calculates instead.
 */
const character = fc.integer({ min: 0, max: 0x10_ffff - surrogates.count }).map(
  (index) => String.fromCodePoint(index < surrogates.from ? index : index + surrogates.count),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error("not one character");
    if (code >= surrogates.from && code < surrogates.from + surrogates.count)
      throw new Error("half of a character");
    return code < surrogates.from ? code : code - surrogates.count;
  },
);

/** Any characters, and now and then a word that is dangerous as the name of a member. */
export const anyText = (constraints: StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });
