// Which characters the fonts of a PDF can draw.
import fonts from "@/server/domain/certificates/pdf/fonts.json";

const isCovered = (code: number): boolean =>
  fonts.covers.some(([from = 0, to = 0]) => code >= from && code <= to);

/**
 * Text as the fonts can draw it. A character that they lack would be an empty box, which PDF/A forbids (ISO 19005-3, 6.2.11.8), and one that turns the
 * direction of the text could make a line say something else: both are written as their numbers.
 */
export const drawable = (text: string): string =>
  [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      return isCovered(code) ? character : `\\u{${code.toString(16)}}`;
    })
    .join("");
